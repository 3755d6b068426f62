package io.heatshield.config.bind;

import java.util.LinkedHashMap;
import java.util.Map;

/** The guide's tables of variables of the Envoy rate-limit service that no setting names. */
final class EnvoyTables {
  /** Variables that only together, or only translated, make a setting. */
  static final Map<String, String> TRANSLATED =
      table(
          "HOST", "the host of `server.http`",
          "PORT", "the port of `server.http`",
          "GRPC_HOST", "the host of `server.grpc`",
          "GRPC_PORT", "the port of `server.grpc`",
          "GRPC_SERVER_USE_TLS", "`server.tls`, if true",
          "GRPC_SERVER_TLS_CERT", "`server.tls.cert`",
          "GRPC_SERVER_TLS_KEY", "`server.tls.key`",
          "GRPC_CLIENT_TLS_CACERT", "`server.tls.client_ca`",
          "RUNTIME_ROOT", "the first part of `limits.config`",
          "RUNTIME_SUBDIRECTORY", "the second part of `limits.config`",
          "RUNTIME_APPDIRECTORY", "the last part of `limits.config`, `config` if not set",
          "REDIS_URL", "the servers of `redis.url`",
          "REDIS_TYPE", "the scheme of `redis.url`: SINGLE, SENTINEL or CLUSTER",
          "REDIS_AUTH", "the password, or user:password, of `redis.url`",
          "REDIS_TLS", "whether `redis.url` uses TLS",
          "REDIS_PERSECOND", "whether the next four are used",
          "REDIS_PERSECOND_URL", "the servers of `redis.per_second_url`",
          "REDIS_PERSECOND_TYPE", "the scheme of `redis.per_second_url`",
          "REDIS_PERSECOND_AUTH", "the password of `redis.per_second_url`",
          "REDIS_PERSECOND_TLS", "whether `redis.per_second_url` uses TLS",
          "HOT_KEY_DETECTION_ENABLED", "`limits.hot_keys.mode`: true is enforce, false is off");

  /** Variables that have no counterpart; one that ends in a star stands for all that begin so. */
  static final Map<String, String> UNSUPPORTED =
      table(
          "CONFIG_TYPE", "`GRPC_XDS_SOTW`: rules come from files only",
          "CONFIG_GRPC_XDS_*", "rules come from files only",
          "XDS_CLIENT_*", "rules come from files only",
          "FORCE_START_WITHOUT_INITIAL_CONFIG", "the folder of rules must exist; it may be empty",
          "MEMCACHE_*", "counters are in memory or in Redis",
          "USE_STATSD", "metrics are for Prometheus, at `/metrics`",
          "STATSD_*", "metrics are for Prometheus, at `/metrics`",
          "USE_DOG_STATSD", "metrics are for Prometheus, at `/metrics`",
          "USE_DOG_STATSD_MOGRIFIERS", "metrics are for Prometheus, at `/metrics`",
          "DOG_STATSD_*", "metrics are for Prometheus, at `/metrics`",
          "EXTRA_TAGS", "add labels in the Prometheus configuration",
          "STATS_FLUSH_INTERVAL", "Prometheus decides when to scrape",
          "DISABLE_STATS", "metrics are always available",
          "USE_PROMETHEUS", "metrics are always at `/metrics` of the HTTP port",
          "PROMETHEUS_*", "metrics are always at `/metrics` of the HTTP port",
          "TRACING_*", "spans are configured under `telemetry`",
          "DEBUG_HOST", "the HTTP port serves everything",
          "DEBUG_PORT", "the HTTP port serves everything",
          "GRPC_UDS", "gRPC is served over TCP",
          "GRPC_CLIENT_TLS_SAN", "any certificate from `server.tls.client_ca` is accepted",
          "LIMIT_REQUEST_*", "headers are added to responses only",
          "LIMIT_PER_UNIT_HEADERS_ENABLED", "three headers have the nearest limit",
          "USE_CALENDAR_MONTH_RATE_LIMIT", "a month is 30 days",
          "REDIS_SOCKET_TYPE", "`unix`: Redis is reached over TCP",
          "REDIS_PERSECOND_SOCKET_TYPE", "`unix`: Redis is reached over TCP",
          "REDIS_POOL_*", "connections are not pooled",
          "REDIS_PERSECOND_POOL_*", "connections are not pooled",
          "REDIS_PIPELINE_*", "calls are always pipelined",
          "REDIS_PERSECOND_PIPELINE_*", "calls are always pipelined",
          "REDIS_USE_EXPLICIT_PIPELINE", "calls are always pipelined",
          "REDIS_PERSECOND_USE_EXPLICIT_PIPELINE", "calls are always pipelined",
          "REDIS_TIMEOUT", "`redis.timeout` is per command, not per connection",
          "REDIS_PERSECOND_TIMEOUT", "`redis.timeout` applies to both",
          "REDIS_TLS_*", "Java must trust the certificate of Redis, which must name its host",
          "REDIS_SENTINEL_AUTH", "sentinels are queried without a password",
          "REDIS_PERSECOND_SENTINEL_AUTH", "sentinels are queried without a password",
          "REDIS_HEALTH_CHECK_ACTIVE_CONNECTION",
              "`redis.on_failure` decides how Redis affects readiness",
          "RUNTIME_WATCH_ROOT", "files are always watched",
          "RUNTIME_IGNOREDOTFILES", "files that begin with a dot are always ignored",
          "GRPC_MAX_CONNECTION_*", "connections stay open");

  private EnvoyTables() {}

  private static Map<String, String> table(String... cells) {
    var table = new LinkedHashMap<String, String>();
    for (int i = 0; i < cells.length; i += 2) {
      table.put(cells[i], cells[i + 1]);
    }
    return table;
  }
}
