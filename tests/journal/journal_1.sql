CREATE TABLE IF NOT EXISTS about(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT OR REPLACE INTO about VALUES ('min_reader', '1');

CREATE TABLE IF NOT EXISTS activation(
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL,
    session TEXT, user TEXT, project TEXT, teams TEXT, agent TEXT,
    point TEXT NOT NULL, tool TEXT, verdict TEXT NOT NULL, engine TEXT NOT NULL, mode TEXT NOT NULL,
    release TEXT NOT NULL, facts TEXT NOT NULL, words INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX IF NOT EXISTS activation_session ON activation(session) WHERE session IS NOT NULL;
CREATE INDEX IF NOT EXISTS activation_words ON activation(at) WHERE words = 1;

CREATE TABLE IF NOT EXISTS firing(
    activation INTEGER NOT NULL, place INTEGER NOT NULL, case_id TEXT NOT NULL, version TEXT NOT NULL,
    how TEXT NOT NULL, detail TEXT NOT NULL, because TEXT NOT NULL,
    PRIMARY KEY (activation, place)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS firing_case ON firing(case_id);
CREATE TABLE IF NOT EXISTS fired(
    case_id TEXT PRIMARY KEY, number INTEGER NOT NULL, last INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS event(
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, kind TEXT NOT NULL,
    session TEXT, user TEXT, project TEXT, teams TEXT, agent TEXT,
    activation TEXT, tool TEXT, ok INTEGER, signature TEXT, counted INTEGER NOT NULL, turn TEXT,
    body TEXT NOT NULL, words INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX IF NOT EXISTS event_session ON event(session) WHERE session IS NOT NULL;
CREATE INDEX IF NOT EXISTS event_signature ON event(signature, counted, at, user) WHERE signature IS NOT NULL;
CREATE INDEX IF NOT EXISTS event_tool ON event(tool) WHERE tool IS NOT NULL;
CREATE INDEX IF NOT EXISTS event_activation ON event(activation) WHERE activation IS NOT NULL;
CREATE INDEX IF NOT EXISTS event_words ON event(at) WHERE words = 1;

CREATE TABLE IF NOT EXISTS entry(
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL,
    actor TEXT NOT NULL, action TEXT NOT NULL, subject TEXT NOT NULL, signature TEXT, body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS entry_subject ON entry(subject);
CREATE INDEX IF NOT EXISTS entry_signature ON entry(signature) WHERE signature IS NOT NULL;
CREATE INDEX IF NOT EXISTS entry_action ON entry(action);

CREATE TABLE IF NOT EXISTS version(
    seq INTEGER PRIMARY KEY AUTOINCREMENT, case_id TEXT NOT NULL, version TEXT NOT NULL, at INTEGER NOT NULL,
    text TEXT NOT NULL, place TEXT NOT NULL, author TEXT NOT NULL, UNIQUE (case_id, version)
);
