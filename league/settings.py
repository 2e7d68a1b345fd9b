"""Settings of the league, all from the environment.

Without any of them it is a league on one machine: SQLite and a broker of files under `var/`.
`DATABASE_URL` and `REDIS_URL` make it a server, which then asks for its secrets.
"""

from pathlib import Path

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from league.config import blob_store, environment as env, logs, private_files
from runners.bundles.limits import BundleLimits
from runners.limits import Limits

# Where files are.
ROOT = Path(__file__).resolve().parents[1]
VAR = private_files.prepare(Path(env.text("KARAT_VAR", str(ROOT / "var"))))

# The stack: SQLite and a broker of files, or PostgreSQL and Redis.
DATABASE_URL = env.text("DATABASE_URL")
REDIS_URL = env.text("REDIS_URL")
EMBEDDED = not DATABASE_URL
"""Whether everything runs on one machine."""

ALLOW_SQLITE = env.flag("ALLOW_SQLITE")
"""Whether `check --deploy` accepts a server on SQLite."""

# Secrets and addresses of the site.
DEBUG = env.flag("DEBUG")
SECRET_KEY = env.text("SECRET_KEY")
if not SECRET_KEY:
    if not EMBEDDED:
        raise ImproperlyConfigured("Set SECRET_KEY to a long random text; a server has no default.")
    SECRET_KEY = env.own_secret(VAR / "secret_key")

HTTPS = env.flag("HTTPS", default=not EMBEDDED)
"""Whether the site is reached by https; cookies and redirects depend on it."""
SITE_URL = env.text("SITE_URL", f"http://localhost:{env.text('PORT', '8000')}").rstrip("/")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
if "*" in ALLOWED_HOSTS:
    raise ImproperlyConfigured("ALLOWED_HOSTS must list the hosts of the site, not `*`.")
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS", SITE_URL)
PROXIES = env.number("PROXIES", 0)
"""How many own proxies are in front of the site and add to X-Forwarded-For."""
if PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# Apps and middleware.
INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "league.assets.storage.Files",
    "django.contrib.humanize",
    "django_htmx",
    "axes",
    "csp",
    "league.control",
    "league.accounts",
    "league.blobs",
    "league.bots",
    "league.matches",
    "league.chances",
    "league.playground",
    "league.workers",
    "league.ladder",
    "league.tournaments",
    "league.stage",
    "league.pages",
    "league.operate",
]

MIDDLEWARE = [
    "league.web.middleware.assign_request_id",
    "league.web.request_log.log_requests",
    "django.middleware.security.SecurityMiddleware",
    "league.web.static_files.StaticFiles",
    "league.web.guest_pages.share_guest_pages",
    "league.web.middleware.CompressPages",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    # The last of them: it needs the user for its page, and comes before whoever reads the body.
    "league.web.middleware.refuse_large_bodies",
]

# Pages.
ROOT_URLCONF = "league.urls"
ASGI_APPLICATION = "league.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "league" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "league.pages.frame.frame",
            ],
        },
    },
]

# The database.
_IS_WEB_SERVER = env.flag("KARAT_WEB")
DATABASES = {
    "default": env.database(DATABASE_URL, pooled=_IS_WEB_SERVER)
    if DATABASE_URL
    else env.sqlite(VAR / "karat.sqlite3", kept_open=_IS_WEB_SERVER)
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Accounts and passwords.
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "accounts:login"
LOGIN_REDIRECT_URL = "accounts:me"
LOGOUT_REDIRECT_URL = "pages:home"
AXES_FAILURE_LIMIT = env.number("LOGIN_ATTEMPTS", 8)
AXES_COOLOFF_TIME = 0.25
"""Hours."""
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_CALLABLE = "league.accounts.views.account.locked_out"
AXES_CLIENT_IP_CALLABLE = "league.web.client_address.lock_out_address"
AXES_WHITELIST_CALLABLE = "league.accounts.login_throttle.is_exempt"
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True
"""Nobody needs a list of who signed in when."""
AXES_VERBOSE = False
SIGN_UP = env.flag("SIGN_UP", default=True)
"""Whether people may sign up."""

# Cookies, transport security and the content security policy.
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SESSION_COOKIE_NAME = "karat_session"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30
CSRF_COOKIE_NAME = "karat_csrf"
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "league.pages.errors.csrf_failed"
# Monitoring asks these inside the network of the servers, without https.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
FILE_UPLOAD_MAX_MEMORY_SIZE = 1 << 20
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "font-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    },
}

# Email.
EMAIL_BACKEND = env.text("EMAIL_BACKEND", "django.core.mail.backends.console.EmailBackend")
EMAIL_HOST = env.text("EMAIL_HOST", "localhost")
EMAIL_PORT = env.number("EMAIL_PORT", 25)
EMAIL_HOST_USER = env.text("EMAIL_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_PASSWORD")
EMAIL_USE_TLS = env.flag("EMAIL_TLS")
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM", "karat@localhost")

# Language and time.
LANGUAGE_CODE = "en"
USE_I18N = False
TIME_ZONE = "UTC"
USE_TZ = True

# Static files.
STATIC_URL = "static/"
STATIC_ROOT = VAR / "static"
STATICFILES_DIRS = [ROOT / "league" / "static", ("viewer", ROOT / "bots_sdk" / "viewer")]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "league.assets.finder.ConcatenatedFiles",
]
# The site serves them itself, so nobody else has to read them.
FILE_UPLOAD_PERMISSIONS = 0o600
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o700
BLOB_STORE = env.text("BLOB_STORE")
"""Where the files of bundles are: a folder or a bucket; without it in the database."""
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "league.assets.storage.Static"},
    **blob_store.storages(BLOB_STORE),
}

# Limits of bots and uploads.
LIMITS = Limits(
    decision_cpu_ms=env.number("BOT_DECISION_CPU_MS", 250),
    decision_wall_ms=env.number("BOT_DECISION_WALL_MS", 2000),
    bank_cpu_ms=env.number("BOT_MATCH_CPU_MS", 20_000),
    bank_wall_ms=env.number("BOT_MATCH_WALL_MS", 40_000),
    memory_mib=env.number("BOT_MEMORY_MIB", 256),
    check_wall_ms=env.number("BOT_CHECK_WALL_MS", 60_000),
)
BUNDLE_LIMITS = BundleLimits(
    unpacked_mib=env.number("BUNDLE_UNPACKED_MIB", 64),
    packed_mib=env.number("BUNDLE_PACKED_MIB", 20),
    files=env.number("BUNDLE_FILES", 500),
    depth=env.number("BUNDLE_DEPTH", 8),
    path_length=min(500, env.number("BUNDLE_PATH_LENGTH", 200)),
)
BUNDLE_CACHE_MIB = env.number("BUNDLE_CACHE_MIB", 2048)
"""The unpacked bundles that a host of workers keeps."""
# The whole body of any request but large uploads (league/web/bodies/large.py): a source, every byte
# escaped by a form, and what is beside it.
DATA_UPLOAD_MAX_MEMORY_SIZE = max(1 << 20, 3 * (LIMITS.source_kib << 10) + (64 << 10))
DATA_UPLOAD_MAX_NUMBER_FILES = BUNDLE_LIMITS.files + 1
DATA_UPLOAD_MAX_NUMBER_FIELDS = max(1000, 2 * BUNDLE_LIMITS.files)

# Quotas of users.
BUNDLE_QUOTA_MIB = env.number("BUNDLE_QUOTA_MIB", 200)
"""All files of the bundles of a user, equal ones counted once."""
UPLOADS_PER_DAY = env.number("UPLOADS_PER_DAY", 20)
CHALLENGES_PER_DAY = env.number("CHALLENGES_PER_DAY", 50)
TOURNAMENTS_OPEN = env.number("TOURNAMENTS_OPEN", 5)
"""How many unfinished tournaments a user may have; as many may be recurring."""
TOURNAMENTS_PER_DAY = env.number("TOURNAMENTS_PER_DAY", 20)
TOURNAMENT_GAMES_OPEN = env.number("TOURNAMENT_GAMES_OPEN", 10_000)
"""Games in all unfinished tournaments of a user, counted as if they were full."""
TOURNAMENT_GAMES_PER_DAY = env.number("TOURNAMENT_GAMES_PER_DAY", 10_000)
ORGANISER_QUOTA_FACTOR = env.number("ORGANISER_QUOTA_FACTOR", 20)
"""Organisers and staff may book this many times as much."""
RECURRING_GAP_MINUTES = env.number("RECURRING_GAP_MINUTES", 60)
"""The least time between two dates of a recurring tournament; 5 for organisers and staff."""
SEAL_HOURS = env.number("SEAL_HOURS", 24)
"""How long after the last game sealed results of an event night are revealed at the latest."""

# The wall.
LIVE_CONNECTIONS = env.number("LIVE_CONNECTIONS", 512)
"""How many viewers of walls each web process keeps connected; the others ask now and then."""

# The playground.
PLAYGROUND = env.flag("PLAYGROUND", default=True)
"""Whether visitors may try bots without an account."""

# Logs of bots, and ladders.
LOG_DAYS = env.number("LOG_DAYS", 30)
LADDER_QUEUE = env.number("LADDER_QUEUE", 4)
"""The maximum of waiting matches of each ladder."""
LADDER_TRICKLE_SECONDS = env.number("LADDER_TRICKLE_SECONDS", 180)
"""How often a ladder plays when all its ratings are settled."""

# Chances of finished matches.
CHANCES = env.flag("CHANCES", default=True)
"""Whether workers estimate them when there is no job."""
CHANCES_PER_MINUTE = env.number("CHANCES_PER_MINUTE", 6)
"""The maximum of matches for each process of a worker; each takes up to 0.2 s of CPU time."""

# Nightly maintenance.
INSPECT_HOUR = env.number("INSPECT_HOUR", 3)
"""The hour of the day (UTC) in which the league inspects its own data; -1 for never."""
INSPECT_SAMPLE = env.number("INSPECT_SAMPLE", 200)
"""How many records are replayed every night."""

COMPACT_KEEP = env.number("COMPACT_KEEP", 20_000)
"""How many of the latest records of each game stay complete; -1 for all."""
COMPACT_HOUR = env.number("COMPACT_HOUR", 4)
"""The hour of the day (UTC) in which older records are compacted."""

# Metrics and logs.
METRICS_TOKEN = env.text("METRICS_TOKEN")
"""The bearer token that gives access to /metrics."""
METRICS_FROM = env.words("METRICS_FROM", "127.0.0.0/8,::1")
"""Networks that may read /metrics without a token."""
LOGGING = logs.config(
    env.text("LOG_FORMAT", "text" if EMBEDDED else "json"),
    env.text("LOG_LEVEL", "WARNING" if EMBEDDED else "INFO"),
    secrets=[
        SECRET_KEY,
        EMAIL_HOST_PASSWORD,
        METRICS_TOKEN,
        *env.passwords(DATABASE_URL, REDIS_URL, BLOB_STORE),
    ],
)

# Rate limits of the API per minute: of users by account, whatever their keys; of guests by address,
# behind which a whole class may sit. Counted in the cache, which all processes share.
API_REQUESTS_OF_KEY = env.number("API_REQUESTS_OF_KEY", 1200)
API_REQUESTS_OF_GUEST = env.number("API_REQUESTS_OF_GUEST", 3000)
CACHES = {
    "default": {
        "BACKEND": "league.web.fallback_cache.FallbackCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "karat",
        "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
    }
    if REDIS_URL
    else {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    }
}
