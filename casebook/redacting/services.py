"""Tokens that say by their shape whose they are: name, pattern (RE2), and what the pattern begins with.

A token stands alone: the letter, digit or underscore before it would make it a part of something else. None of the examples
is a token that anything ever took; they are put together here so that no scanner takes them for one.
"""

from __future__ import annotations

from dataclasses import dataclass

_FILL = "f4kEt0k3nQ9zR7xW2vB8nM5jH1dS6aG3pL0uYcTeIoKqXwZr"
_DIGITS = "739105826473910582647391"
_HEX = "9f3c1a7e5b2d8046c1e7a9035f8b2d64e0c7193a5b8d2f4e6a1c90b7d3e5f812"


@dataclass(frozen=True, slots=True)
class Service:
    """One shape of token.

    Attributes:
        name: as the mask tells it: `[redacted:name]`.
        pattern: RE2, of the whole token.
        example: a made-up one.
        common: names and ids may begin alike, so that what follows must look drawn at random.
    """

    name: str
    pattern: str
    example: str
    common: bool = False


_W = "[A-Za-z0-9_-]"
_A = "[A-Za-z0-9]"

SERVICES: tuple[Service, ...] = (
    Service("aws-key", r"(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}", "AK" + "IA" + "Q7XWZR2VBN5JHDS6"),
    Service("aws-key", r"ABSK[A-Za-z0-9+/]{80,}={0,2}", "AB" + "SK" + _FILL * 3),
    Service("github-token", rf"gh[pousr]_{_A}{{20,}}", "gh" + "p_" + _FILL[:36]),
    Service("github-token", r"github_pat_\w{30,}", "github" + "_pat_" + _FILL[:22] + "_" + _FILL[:30]),
    Service("gitlab-token", r"gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|oas|imt|ffct)-[\w.-]{16,}", "gl" + "pat-" + _FILL[:20]),
    Service("gitlab-token", rf"GR1348941{_W}{{20,}}", "GR13" + "48941" + _FILL[:20]),
    Service("bitbucket-token", r"(?:ATBB|ATCTT3|ATATT3)[\w=-]{24,}", "AT" + "BB" + _FILL[:32]),
    Service("slack-token", r"xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}", "xo" + "xb-" + _DIGITS[:12] + "-" + _FILL[:24]),
    Service("slack-token", r"xapp-\d-[A-Za-z0-9-]{16,}", "xa" + "pp-1-" + "A0" + _FILL[:30]),
    Service("slack-token", r"xoxe\.xoxp-\d-[A-Za-z0-9]{16,}", "xo" + "xe.xoxp-1-" + _FILL[:40]),
    Service("stripe-key", rf"(?:sk|rk)_(?:live|test|prod)_{_A}{{10,}}", "sk" + "_live_" + _FILL[:24]),
    Service("stripe-key", r"whsec_[A-Za-z0-9+/=]{16,}", "wh" + "sec_" + _FILL[:32]),
    Service("anthropic-key", rf"sk-ant-{_W}{{16,}}", "sk" + "-ant-api03-" + _FILL),
    Service("openrouter-key", rf"sk-or-{_W}{{16,}}", "sk" + "-or-v1-" + _HEX),
    Service("openai-key", rf"sk-(?:proj|svcacct|admin|None|lf)-{_W}{{16,}}", "sk" + "-proj-" + _FILL),
    Service("openai-key", rf"sess-{_A}{{32,}}", "se" + "ss-" + _FILL[:40], common=True),
    Service("api-key", rf"(?:sk|pk)-{_W}{{16,}}", "sk" + "-" + _FILL[:32], common=True),
    Service("google-key", rf"AIza{_W}{{30,}}", "AI" + "za" + "Sy" + _FILL[:33]),
    Service("google-oauth", rf"GOCSPX-{_W}{{20,}}", "GOC" + "SPX-" + _FILL[:28]),
    Service("google-oauth", r"ya29\.[\w.-]{20,}", "ya" + "29." + _FILL),
    Service("google-oauth", r"1//0[\w-]{24,}", "1/" + "/0g" + _FILL),
    Service("npm-token", rf"npm_{_A}{{30,}}", "np" + "m_" + _FILL[:36]),
    Service("pypi-token", rf"pypi-{_W}{{24,}}", "py" + "pi-AgEIcHlwaS5vcmc" + _FILL),
    Service("huggingface-token", rf"(?:hf|api_org)_{_A}{{28,}}", "h" + "f_" + _FILL[:34]),
    Service("replicate-token", rf"r8_{_A}{{30,}}", "r" + "8_" + _FILL[:37], common=True),
    Service("groq-key", rf"gsk_{_A}{{30,}}", "gs" + "k_" + _FILL, common=True),
    Service("xai-key", rf"xai-{_A}{{30,}}", "xa" + "i-" + _FILL),
    Service("perplexity-key", rf"pplx-{_A}{{30,}}", "pp" + "lx-" + _FILL),
    Service("tavily-key", rf"tvly-{_W}{{20,}}", "tv" + "ly-" + _FILL[:32]),
    Service("langsmith-key", r"ls(?:v2|__)_?(?:pt|sk)_[0-9a-f_]{32,}", "ls" + "v2_pt_" + _HEX[:32] + "_" + _HEX[:10]),
    Service("twilio-key", r"(?:SK|AC)[0-9a-f]{32}", "S" + "K" + _HEX[:32]),
    Service("sendgrid-key", rf"SG\.{_W}{{16,}}\.{_W}{{16,}}", "S" + "G." + _FILL[:22] + "." + _FILL[:43]),
    Service("mailgun-key", r"key-[0-9a-f]{32}", "ke" + "y-" + _HEX[:32]),
    Service("mailchimp-key", r"[0-9a-f]{32}-us\d{1,2}", _HEX[:32] + "-u" + "s14"),
    Service("mail-key", rf"(?:xkeysib|xsmtpsib)-[0-9a-f]{{32,}}-{_A}{{10,}}", "xkey" + "sib-" + _HEX + "-" + _FILL[:16]),
    Service("mail-key", rf"re_{_A}{{6,12}}_{_A}{{18,}}", "r" + "e_" + _FILL[:8] + "_" + _FILL[:24], common=True),
    Service("telegram-token", rf"(?:bot)?\d{{8,10}}:AA{_W}{{32,35}}", _DIGITS[:10] + ":A" + "A" + _FILL[:33]),
    Service(
        "discord-token",
        rf"[MNO]{_W}{{22,28}}\.{_W}{{6}}\.{_W}{{27,40}}",
        "M" + "TE" + _FILL[:22] + "." + _FILL[:6] + "." + _FILL[:38],
    ),
    Service("discord-token", rf"mfa\.{_W}{{80,}}", "mf" + "a." + _FILL * 2),
    Service("digitalocean-token", r"do[opr]_v1_[0-9a-f]{32,}", "do" + "p_v1_" + _HEX),
    Service("heroku-key", rf"HRKU-{_W}{{30,}}", "HR" + "KU-" + "AA" + _FILL),
    Service("cloudflare-token", r"v1\.0-[0-9a-f]{20,}-[0-9a-f]{100,}", "v1" + ".0-" + _HEX[:24] + "-" + _HEX * 2),
    Service("databricks-token", r"dapi[0-9a-h]{32}(?:-\d)?", "da" + "pi" + _HEX[:32]),
    Service("shopify-token", r"shp(?:at|ca|pa|ss|tka)_[0-9a-fA-F]{32}", "shp" + "at_" + _HEX[:32]),
    Service("square-token", rf"(?:sq0(?:atp|csp|idp)-{_W}{{20,}}|EAAA{_W}{{50,}})", "sq" + "0atp-" + _FILL[:22]),
    Service("paypal-token", r"access_token\$(?:production|sandbox)\$[0-9a-z]{10,}\$[0-9a-f]{32}",
            "access" + "_token$production$" + "q7xw2vbn5jhds6ag" + "$" + _HEX[:32]),
    Service("facebook-token", rf"EAA[A-Z]{_A}{{40,}}", "EA" + "AC" + _FILL * 2, common=True),
    Service("vault-token", rf"hv[sbr]\.{_W}{{20,}}", "hv" + "s." + _FILL),
    Service("vault-token", rf"s\.{_A}{{24}}", "s" + "." + _FILL[:24], common=True),
    Service("terraform-token", rf"{_A}{{14}}\.atlasv1\.{_W}{{40,}}", _FILL[:14] + ".atlas" + "v1." + _FILL * 2),
    Service("doppler-token", r"dp\.(?:pt|st|ct|scim|audit)\.[\w.-]{24,}", "d" + "p.pt." + _FILL[:43]),
    Service("pulumi-token", r"pul-[0-9a-f]{40}", "pu" + "l-" + _HEX[:40]),
    Service("linear-key", rf"lin_(?:api|oauth)_{_A}{{20,}}", "li" + "n_api_" + _FILL[:40]),
    Service("notion-token", rf"(?:ntn_|secret_){_A}{{36,}}", "nt" + "n_" + _FILL[:46], common=True),
    Service("airtable-token", rf"pat{_A}{{14}}\.[0-9a-f]{{40,}}", "pa" + "t" + _FILL[:14] + "." + _HEX, common=True),
    Service("atlassian-token", rf"ATATT{_W}{{40,}}=?", "AT" + "ATT" + _FILL * 2),
    Service("figma-token", rf"fig[dur]_{_W}{{30,}}", "fi" + "gd_" + _FILL[:40]),
    Service("postman-key", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}", "PM" + "AK-" + _HEX[:24] + "-" + _HEX[:34]),
    Service("newrelic-key", rf"(?:NRAK|NRJS|NRII|NRRA|NRSP)-{_W}{{19,}}", "NR" + "AK-" + "Q7XWZR2VBN5JHDS6AG3PL0UYCTE"),
    Service("grafana-token", rf"glsa_{_A}{{30,}}_[0-9a-fA-F]{{8}}", "gl" + "sa_" + _FILL[:32] + "_" + _HEX[:8]),
    Service("grafana-token", r"glc_[A-Za-z0-9+/=]{32,}", "gl" + "c_" + _FILL),
    Service("sentry-token", r"sntry[su]_[\w+/=-]{32,}", "sn" + "trys_" + _FILL * 2),
    Service("dynatrace-token", r"dt0[a-zA-Z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}",
            "dt" + "0c01." + "Q7XWZR2VBN5JHDS6AG3PL0UY" + "." + "Q7XWZR2VBN5JHDS6" * 4),
    Service("docker-token", rf"dckr_(?:pat|oat)_{_W}{{20,}}", "dc" + "kr_pat_" + _FILL[:27]),
    Service("rubygems-key", r"rubygems_[0-9a-f]{48}", "ruby" + "gems_" + _HEX[:48]),
    Service("cargo-token", rf"cio{_A}{{32}}", "ci" + "o" + _FILL[:32], common=True),
    Service("nuget-key", r"oy2[a-z0-9]{43}", "o" + "y2" + "q7xw2vbn5jhds6ag3pl0uyctei" + "q7xw2vbn5jhds6ag3"),
    Service("fly-token", rf"(?:fo1_{_W}{{40,}}|fm[12][ar]?_[A-Za-z0-9+/=]{{60,}})", "fo" + "1_" + _FILL),
    Service("planetscale-token", r"pscale_(?:tkn|pw|oauth)_[\w.=-]{30,}", "ps" + "cale_tkn_" + _FILL[:43]),
    Service("supabase-token", r"sb(?:p|_secret)_[0-9a-zA-Z_-]{30,}", "sb" + "p_" + _HEX[:40]),
    Service("vercel-token", rf"vc[pikrs]_{_A}{{24,}}", "vc" + "p_" + _FILL, common=True),
    Service("netlify-token", rf"nf[pouc]_{_A}{{30,}}", "nf" + "p_" + _FILL[:40], common=True),
    Service("render-key", rf"rnd_{_A}{{24,}}", "rn" + "d_" + _FILL[:32], common=True),
    Service("sonar-token", r"sq[apu]_[0-9a-f]{40}", "sq" + "a_" + _HEX[:40]),
    Service("jfrog-key", rf"(?:AKCp{_A}{{60,}}|cmVmd{_A}{{59,}})", "AK" + "Cp" + _FILL * 2),
    Service("artifact-token", rf"(?:ops_eyJ|A3-[A-Z0-9]{{6}}-){_W}{{20,}}", "A3" + "-Q7XWZR-" + "Q7XWZR2VBN5-JHDS6-AG3PL", common=True),
    Service("easypost-key", rf"EZ[AT]K{_A}{{50,}}", "EZ" + "AK" + _FILL * 2),
    Service("razorpay-key", rf"rzp_(?:live|test)_{_A}{{14,}}", "rz" + "p_live_" + _FILL[:14]),
    Service("flutterwave-key", r"FLW(?:PUB|SEC)K(?:_TEST)?-[0-9a-h]{12,}(?:-X)?", "FLW" + "SECK-" + _HEX[:32] + "-X"),
    Service("mapbox-token", rf"sk\.eyJ{_W}{{20,}}\.{_W}{{10,}}", "s" + "k.ey" + "J" + _FILL + "." + _FILL[:22]),
    Service("alibaba-key", rf"LTAI{_A}{{12,26}}", "LT" + "AI" + "5t" + _FILL[:18]),
    Service("tencent-key", rf"AKID{_A}{{28,48}}", "AK" + "ID" + _FILL[:32]),
    Service("volcengine-key", rf"AKLT{_W}{{28,}}", "AK" + "LT" + _FILL),
    Service("age-key", r"AGE-SECRET-KEY-1[0-9A-Z]{50,}", "AGE-" + "SECRET-KEY-1" + "Q7XWZR2VBN5JHDS6" * 4),
    Service("azure-secret", rf"{_A}{{3}}[78]Q~[\w.~-]{{30,}}", _FILL[:3] + "8" + "Q~" + _FILL[:34]),
    Service("azure-key", r"[A-Za-z0-9+/]{76}(?:\+A|AC|AE|AI|AS)[A-Za-z0-9+/]{6}={1,2}",
            (_FILL * 2)[:76] + "+A" + "St" + "Q9zR" + "=="),
    Service("fireworks-key", rf"fw_{_A}{{22,}}", "f" + "w_" + _FILL[:24], common=True),
    Service("dropbox-token", rf"sl\.(?:[uB]\.)?{_W}{{60,}}", "s" + "l." + _FILL * 2, common=True),
    Service("hubspot-token", r"pat-(?:na|eu|ap)\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
            "pa" + "t-na1-" + "9f3c1a7e-5b2d-4046-81e7-a9035f8b2d64"),
    Service("twitter-token", r"A{18,24}[A-Za-z0-9]{16,}%[A-Za-z0-9%]{16,}", "A" * 21 + _FILL + "%3" + "D" + _FILL),
    Service("nvidia-key", rf"nvapi-{_W}{{40,}}", "nv" + "api-" + _FILL + _FILL[:16]),
    Service("voyage-key", rf"pa-{_W}{{40,48}}", "p" + "a-" + _FILL[:43], common=True),
    Service("prefect-key", rf"pn[ub]_{_A}{{36}}", "pn" + "u_" + _FILL[:36]),
    Service("xata-key", rf"xau_{_A}{{32,}}", "xa" + "u_" + _FILL[:40]),
    Service("readme-key", r"rdme_[a-z0-9]{64,}", "rd" + "me_xn8s9h" + _HEX),
    Service("clickup-token", r"pk_\d{6,9}_[A-Z0-9]{32}", "p" + "k_" + _DIGITS[:8] + "_" + "Q7XWZR2VBN5JHDS6" * 2),
    Service("asana-token", r"[0-2]/(?:\d{10,}/)?\d{10,}:[0-9a-f]{32}", "1/" + _DIGITS[:16] + ":" + _HEX[:32]),
    Service("launchdarkly-key", r"(?:sdk|mob|api)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
            "sd" + "k-" + "9f3c1a7e-5b2d-4046-81e7-a9035f8b2d64"),
    Service("password-hash", r"\$2[abxy]?\$\d\d\$[A-Za-z0-9./]{53}", "$2" + "b$12$" + (_FILL * 2)[:53]),
    Service("password-hash", r"\$(?:1|5|6|7|y|gy|apr1|8|9)\$(?:rounds=\d+\$|[\w./]{1,6}\$)?[A-Za-z0-9./]{1,86}\$[A-Za-z0-9./]{20,}",
            "$6" + "$" + _FILL[:8] + "$" + (_FILL * 2)[:86]),
    Service("password-hash", r"\$(?:argon2(?:id|i|d)|scrypt|pbkdf2[\w-]*)\$[\w=,$.+/-]{40,}",
            "$argon2" + "id$v=19$m=65536,t=3,p=4$" + _FILL[:22] + "$" + _FILL[:43]),
    Service("password-hash", r"(?:pbkdf2|scrypt|bcrypt)_sha\d+\$\d+\$[\w./+-]+\$[\w./+=-]{20,}", "pbkdf2" + "_sha256$600000$" + _FILL[:22] + "$" + _FILL[:43]),
    Service("jwt", rf"eyJ{_W}{{8,}}\.(?:eyJ|[A-Za-z0-9_-]){_W}{{7,}}(?:\.{_W}*){{1,3}}",
            "ey" + "JhbGciOiJIUzI1NiJ9." + "ey" + "JzdWIiOiIxMjM0NSJ9." + _FILL[:43]),
)  # fmt: skip
"""Longer names before shorter ones of the same beginning: the first that takes a token names it."""
