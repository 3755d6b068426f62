package io.heatshield.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.config.settings.ServerSettings;
import io.heatshield.config.settings.Settings;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvironmentOverridesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PORT=9090                              | server.http=127.0.0.1:9090",
        "HOST=localhost                         | server.http=localhost:8080",
        "HOST=::1 PORT=1                        | server.http=[::1]:1",
        "GRPC_HOST=localhost GRPC_PORT=7        | server.grpc=localhost:7",
        "LOG_LEVEL=WARNING                      | log.level=warn",
        "LOG_LEVEL=fatal                        | log.level=error",
        "LOG_FORMAT=json                        | log.format=json",
        "RUNTIME_ROOT=/data                     | limits.config=/data/config",
        "RUNTIME_ROOT=/data RUNTIME_SUBDIRECTORY=rl | limits.config=/data/rl/config",
        "RUNTIME_ROOT=/d RUNTIME_SUBDIRECTORY=r RUNTIME_APPDIRECTORY=a | limits.config=/d/r/a",
        "RUNTIME_SUBDIRECTORY=rl                |"
            + " limits.config=/srv/runtime_data/current/rl/config",
        "RUNTIME_ROOT=/data                     | limits.backend=memory",
        "RUNTIME_ROOT=/data REDIS_URL=r:6379    | limits.backend=redis",
        "RUNTIME_ROOT=/d REDIS_URL=r:1 BACKEND_TYPE=memory | limits.backend=memory",
        "BACKEND_TYPE=redis REDIS_URL=r:6379    | limits.backend=redis",
        "REDIS_URL=r:6379                       | redis.url=redis://r:6379",
        "REDIS_URL=redis://r:1 REDIS_AUTH=x     | redis.url=redis://:***@r:1",
        "REDIS_URL=r:6379 REDIS_TLS=true        | redis.url=rediss://r:6379",
        "REDIS_URL=r:6379 REDIS_AUTH=u:p/@w     | redis.url=redis://u:***@r:6379",
        "REDIS_URL=a:1,b:2 REDIS_TYPE=CLUSTER REDIS_TLS=1 |"
            + " redis.url=redis-cluster://a:1,b:2?tls=true",
        "REDIS_URL=m,a:1,b:2 REDIS_TYPE=sentinel | redis.url=redis-sentinel://a:1,b:2#m",
        "REDIS_PERSECOND=true REDIS_PERSECOND_URL=p:1 | redis.per_second_url=redis://p:1",
        "REDIS_PERSECOND=false REDIS_PERSECOND_URL=p:1 | redis.per_second_url=null",
        "BACKEND_TYPE=memory EXPIRATION_JITTER_MAX_SECONDS=30 | limits.expiration_jitter=30s",
        "BACKEND_TYPE=memory LOCAL_CACHE_SIZE_IN_BYTES=1024 | limits.local_cache=1KiB",
        "BACKEND_TYPE=memory NEAR_LIMIT_RATIO=0.5 | limits.near_limit_ratio=0.5",
        "BACKEND_TYPE=memory CACHE_KEY_PREFIX=T  | limits.cache_key_prefix=T",
        "BACKEND_TYPE=memory SHADOW_MODE=1       | limits.shadow_mode=true",
        "BACKEND_TYPE=memory MERGE_DOMAIN_CONFIG=T | limits.merge_domains=true",
        "BACKEND_TYPE=memory HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED=true |"
            + " limits.require_domain=true",
        "BACKEND_TYPE=memory QUOTA_MODE=true | limits.quota_mode=true",
        "BACKEND_TYPE=memory RESPONSE_DYNAMIC_METADATA=true | limits.dynamic_metadata=true",
        "BACKEND_TYPE=memory STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT=true |"
            + " limits.stop_cache_key_increment_when_overlimit=true",
        "BACKEND_TYPE=memory LIMIT_RESPONSE_HEADERS_ENABLED=true |"
            + " limits.response_headers.enabled=true",
        "BACKEND_TYPE=memory LIMIT_LIMIT_HEADER=X | limits.response_headers.limit=X",
        "BACKEND_TYPE=memory LIMIT_REMAINING_HEADER=X | limits.response_headers.remaining=X",
        "BACKEND_TYPE=memory LIMIT_RESET_HEADER=X | limits.response_headers.reset=X",
        "BACKEND_TYPE=memory HOT_KEY_DETECTION_ENABLED=true | limits.hot_keys.mode=enforce",
        "BACKEND_TYPE=memory HOT_KEY_DETECTION_ENABLED=false | limits.hot_keys.mode=off",
        "BACKEND_TYPE=memory HOT_KEY_SKETCH_MEMORY_BYTES=2048 | limits.hot_keys.sketch_memory=2KiB",
        "BACKEND_TYPE=memory HOT_KEY_SKETCH_DEPTH=5 | limits.hot_keys.depth=5",
        "BACKEND_TYPE=memory HOT_KEY_THRESHOLD=7 | limits.hot_keys.threshold=7",
        "BACKEND_TYPE=memory HOT_KEY_MAX_COUNT=8 | limits.hot_keys.max_keys=8",
        "BACKEND_TYPE=memory HOT_KEY_FLUSH_WINDOW=0.5ms | limits.hot_keys.flush_window=500us",
        "BACKEND_TYPE=memory HOT_KEY_FLUSH_WINDOW=0 | limits.hot_keys.flush_window=0s",
        "BACKEND_TYPE=memory HOT_KEY_DECAY_INTERVAL=1m30s | limits.hot_keys.decay_interval=90s",
      })
  void apply_variables_setTheirSetting(String variables, String setting) {
    Configuration configuration = Loading.valid("", variables(variables));

    assertThat(configuration.effective())
        .extracting(effective -> effective.path() + "=" + effective.value())
        .contains(setting);
  }

  @Test
  void apply_tlsVariables_createTheSection() {
    Map<String, String> environment =
        variables(
            "GRPC_SERVER_USE_TLS=true GRPC_SERVER_TLS_CERT=c GRPC_SERVER_TLS_KEY=k"
                + " GRPC_CLIENT_TLS_CACERT=a");

    ServerSettings.@Nullable Tls tls = Loading.valid("", environment).settings().server().tls();

    assertThat(tls).hasToString("Tls[cert=c, key=k, clientCa=a]");
  }

  @Test
  void apply_variablesAndFile_variablesWin() {
    String yaml = "server: { http: '[::1]:1' }\nlimits: { hot_keys: { threshold: 5, depth: 6 } }";
    Map<String, String> environment = variables("PORT=9 HOT_KEY_THRESHOLD=8");

    Settings settings = Loading.valid(yaml, environment).settings();

    assertThat(settings.server().http()).hasToString("[::1]:9");
    assertThat(settings.limits()).isNotNull();
    assertThat(settings.limits().hotKeys().threshold()).isEqualTo(8);
    assertThat(settings.limits().hotKeys().depth()).isEqualTo(6);
  }

  @Test
  void apply_variableOfAMissingSection_warnsAndDoesNotCreateIt() {
    LoadResult result =
        Loading.load("", variables("PORT=9 HOT_KEY_THRESHOLD=8 HOT_KEY_DETECTION_ENABLED=true"));

    assertThat(Loading.valid(result).settings().limits()).isNull();
    assertThat(Loading.warnings(result))
        .containsExactly(
            "environment: HOT_KEY_DETECTION_ENABLED: has no effect, because there is no limits section",
            "environment: HOT_KEY_THRESHOLD: has no effect, because there is no limits section");
  }

  @Test
  void apply_variablesWithoutCounterpart_warn() {
    LoadResult result =
        Loading.load(
            "",
            variables(
                "CONFIG_TYPE=GRPC_XDS_SOTW MEMCACHE_HOST_PORT=m:1 USE_STATSD=false"
                    + " TRACING_ENABLED=true REDIS_AUTH=x"));

    assertThat(Loading.warnings(result))
        .containsExactly(
            "environment: CONFIG_TYPE: GRPC_XDS_SOTW is not supported; rules come from files only",
            "environment: MEMCACHE_HOST_PORT: is not supported and has no effect",
            "environment: REDIS_AUTH: has no effect without REDIS_URL",
            "environment: TRACING_ENABLED: is not supported and has no effect");
  }

  @Test
  void apply_variablesThatWouldChangeAnswersOrAccess_warn() {
    LoadResult result =
        Loading.load(
            "",
            variables(
                "GRPC_UDS=/run/s GRPC_CLIENT_TLS_SAN=envoy USE_CALENDAR_MONTH_RATE_LIMIT=true"
                    + " LIMIT_REQUEST_HEADERS_ENABLED=true LIMIT_PER_UNIT_HEADERS_ENABLED=false"
                    + " REDIS_TLS_CACERT=ca REDIS_TLS_SKIP_HOSTNAME_VERIFICATION=false"
                    + " REDIS_SENTINEL_AUTH=x REDIS_TIMEOUT=1s EXTRA_TAGS=a:b"));

    assertThat(Loading.warnings(result))
        .extracting(warning -> warning.replace(": is not supported and has no effect", ""))
        .containsExactly(
            "environment: GRPC_CLIENT_TLS_SAN",
            "environment: GRPC_UDS",
            "environment: LIMIT_REQUEST_HEADERS_ENABLED",
            "environment: REDIS_SENTINEL_AUTH",
            "environment: REDIS_TLS_CACERT",
            "environment: USE_CALENDAR_MONTH_RATE_LIMIT");
  }

  @Test
  void apply_badVariables_areFaultsLikeTheOthers() {
    Map<String, String> environment =
        variables(
            "PORT=70000 HOST=a_b! GRPC_SERVER_USE_TLS=true GRPC_SERVER_TLS_KEY=k LOG_LEVEL=loud"
                + " BACKEND_TYPE=memcache REDIS_URL=/run/redis.sock REDIS_PERSECOND=maybe"
                + " HOT_KEY_THRESHOLD=-1 HOT_KEY_FLUSH_WINDOW=5");

    assertThat(Loading.faults("limits: {}", environment))
        .containsExactly(
            "environment: BACKEND_TYPE: memcache is not supported; use redis or memory",
            "environment: GRPC_SERVER_TLS_KEY: is missing and has no default",
            "environment: GRPC_SERVER_USE_TLS: is true, but GRPC_SERVER_TLS_CERT is not set",
            "environment: HOST: the host must be a name, an IPv4 address or an IPv6 address in"
                + " brackets",
            "environment: HOT_KEY_FLUSH_WINDOW: a duration carries a unit, for example 60s; write"
                + " 5s",
            "environment: HOT_KEY_THRESHOLD: must be at least 1, but is \"-1\"",
            "environment: LOG_LEVEL: must be trace, debug, info, warn or error, but is \"loud\"",
            "environment: PORT: the port must be a whole number from 0 to 65535",
            "environment: REDIS_PERSECOND: must be true or false, but is \"maybe\"",
            "environment: REDIS_URL: a unix socket is not supported; give host:port");
  }

  @Test
  void apply_reachableHost_namesTheLineToAdd() {
    assertThat(Loading.faults("", variables("HOST=0.0.0.0 PORT=8080")))
        .singleElement()
        .asString()
        .startsWith("environment: HOST, PORT: other machines can reach 0.0.0.0:8080")
        .contains("`allow_plaintext: true`");
  }

  @Test
  void apply_overAFileOfTheWrongShape_keepsItsFaults() {
    assertThat(Loading.faults("server: 5\nlimits: []", variables("PORT=9 BACKEND_TYPE=memory")))
        .containsExactly(
            "heatshield.yaml:1: server: must be a section, but is a single value",
            "heatshield.yaml:2: limits: must be a section, but is a list");
  }

  @Test
  void apply_emptyVariable_countsAsNotSet() {
    assertThat(Loading.valid("", Map.of("PORT", "")).settings())
        .isEqualTo(Loading.valid("").settings());
  }

  private static Map<String, String> variables(String text) {
    var variables = new HashMap<String, String>();
    for (String pair : text.trim().split(" ", -1)) {
      int equals = pair.indexOf('=');
      variables.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
    return variables;
  }
}
