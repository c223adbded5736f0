"""Words that are said without meaning anybody who is called so: of tools and conditions, of the calendar, and of everyday English."""

from __future__ import annotations

TOOLS = frozenset(
    """
    shell bash sh zsh git gh read write edit search grep glob fetch browse browser task todo notebook terminal python
    node npm npx pnpm yarn pip pytest cargo go java docker podman kubectl helm terraform make cmake curl wget ssh scp
    rsync psql mysql redis postgres sqlite aws gcloud az test tests build deploy release review refactor debug install
    commit push pull merge rebase branch main master user users admin root system agent person tool tools text answer
    message error file path host time date weekday session project team intent program action channel model origin and
    or not is in of the a to for
    """.split()  # noqa: SIM905 - a list of words is read as words
)
"""Words of conditions, tools and programs (ours)."""

CALENDAR = frozenset(
    """
    january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun
    """.split()  # noqa: SIM905 - as above
)
"""Months and days, which are written with a capital letter whoever is meant."""

PRONOUNS = frozenset(
    """
    i me my mine myself we us our ours you your yours he him his she her hers it its they them their theirs who whom
    whose that which what this these those one someone somebody anyone anybody everyone everybody nobody here there
    let
    """.split()  # noqa: SIM905 - as above
)
"""Words that stand for a person or a thing."""

ORDINARY = frozenset(
    """
    about above account across active add after again against age ago agree air alert alias all allow almost alone
    along already also always am amber among amount an analysis angel animal any apart app apple approve are area arm
    around arrow art as ask at auto autumn away baby back bad bag bail balance ball bank bar base basic bat batch bay
    be beach bean bear beat beauty because bed bee before begin behind bell best beta better between big bill bird bit
    black blank blaze block blue board boat body bold bolt bond book boot border both bottle bottom box boy brain
    brand brave bread break bridge bright bring broad brook brother brown bud buddy budget buffer bug bull bus bush
    business but butter button buy by cable cache call calm camp can candy cap captain car card care carol case cash
    castle cat cause chain chance change charge charity chase chat cheap check cherry chief child chip choice church
    city claim class clay clean clear click client cliff clock close cloud club coach coal coast coat code coffee cold
    color come common company cook cool cop copy corn corner cost could count country course court cover craft crash
    cream create crisp cross crow crown cry crystal cup current custom cut daily daisy dale dark dash data dawn day
    dead deal dean dear deep default delta demo den desk destiny detail dev device did diet different dig digital
    direct dirk disk do doc doctor dog dollar done door dot double down draft dragon draw dream dress drew drive drop
    drug dry duck due duke dust duty each eagle earl early earth ease east easy echo edge effect egg eight either
    elder else empty end engine enough enter entry equal event ever every exact example exit expert extra eye fact
    fail fair faith fall false family fan far farm fast father favor fear feature fee feed feel felt few field fight
    fill film final find fine finger fire first fish fit five fix flag flash flat fleet flex flint float floor flora
    flow flower fly focus fog fold folk follow food foot force forest form forward foster fox frame frank free fresh
    friend from front fruit fuel full fun fund future gain game gap garden garnet gas gate gauge gene general get
    ghost gift ginger girl give glass glen goal god gold golf good grace grade grand grant graph grass gray great
    green grey ground group grow guard guest guide gun guy had hair half hall hand happy hard harmony has hash hat
    have hawk hazel head health heart heat heath heaven heavy height help herb hero high hill hit hold hole holly home
    honey honor hook hope hot hour house how huge human hunt hunter hurt ice idea if image important index info input
    inside into iris iron island issue item ivy jack jade jam jar jasmine jet job join joint joy judge jump just
    justice keep kernel key kick kid kind king kit kitchen kite knight know lab lake lamp lance land lane large last
    late later launch laurel law layer lead leader leaf league learn least leave left leg legal lemon less level
    liberty library life lift light like lily limit line link lion list little live load loan local lock log lone long
    look loop lord lose loss lost lot love low luck lucky lunch mac machine made magic mail man manager many map maple
    margin marina mark market marsh mask mason mass mat match mate matter max maybe meal mean meat media medium meet
    melody member memory mercy met metal meter method mid middle might mild mile milk mill miller mind mini minor mint
    minute miss mission mix mobile mode modern moment money monitor month moon moor more morning most mother motion
    mountain mouse mouth move much music must nail name narrow nation native nature near nearly neat neck need net
    network never new news next nice night nine no noise none noon nor norm normal north nose note nothing notice now
    number oak ocean off offer office officer often oil ok okay old olive on once only open opera option orange order
    other out outside over own owner pace pack page pain paint pair palm pan paper parent park parker part party pass
    past pat patch patience patron pay peace peak pearl penny people pepper per perfect period phase phone photo piano
    pick picture piece pierce pilot pin pine pink pipe place plain plan plane plant plate play player plot plus pocket
    poem poet point police pool poor pop poppy port porter post pot pound power practice present press pretty price
    pride prime prince print private pro problem process product profile proof proud public pure purpose put quality
    queen query question queue quick quiet quite race radio rail rain raise ran random range rank rate rather raven
    ray reach ready real reason record red reed refer regular remember rent reply report request rest result return
    rich ride right ring rise river road rob robin rock rod role roll roof room rose rosemary rough round route row
    royal ruby rule run rush rusty sad safe sage said sail sale salt same sand sandy save saw say scale scan scene
    school science scope score scout sea seal season seat second secret section security see seed sell send senior
    sense series serve server service set seven shadow shall shape share sharp shelf shift ship shop short shot should
    show shut side sierra sign signal silver simple since single sir sister site six size skill skin skip sky sleep
    slide slow small smart smith smoke snow so social soft soil sold solid some son song soon sorry sort soul sound
    source south space spam spare speak special speed spell spend spirit sport spot spring square stable staff stage
    stand star start state station stay steel stella step sterling stick still stock stone stop store storm story
    stream street strong student study stuff style such sue sugar summer sunny support sure surface swift switch table
    tag take talk tall tank tape target tax tea teach tech tell ten tend term than thank then thin thing think third
    though thought three through throw ticket tie tier tiger tight till tiny tip title today together token told ton
    tone too took top total touch tour tower town track trade train travel tree trial trinity trip trouble truck true
    trust truth try turn twin two type under unit until up update upon use used usual valley value van vary vault
    version very via victor video view violet virgin virtue visit voice void volume vote wade wait walk walker wall
    want war ward warm warn was wash watch water wave way weak wealth wear web week weight well went were west wet
    wheel when where while white whole why wide wife wild will win wind window wine wing winter wire wise wish with
    within without wolf woman wood woods word work worker world worth would wrong yard year yellow yes yet young zero
    zone
    """.split()  # noqa: SIM905 - as above
)
"""Everyday English words, many of which are names, too (ours)."""
