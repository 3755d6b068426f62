package io.heatshield.rls;

import io.heatshield.config.settings.LimitsSettings;
import io.heatshield.limit.LimitHeaders;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The names of the three response headers about a limit.
 *
 * @param limit the limit
 * @param remaining the rest of the limit
 * @param reset the seconds until the window ends
 */
public record HeaderNames(String limit, String remaining, String reset) {

  /** Returns the configured names. */
  public static HeaderNames of(LimitsSettings.ResponseHeaders settings) {
    return new HeaderNames(settings.limit(), settings.remaining(), settings.reset());
  }

  /** Returns the headers by name, in the order in which the Envoy rate-limit service sends them. */
  public Map<String, String> of(LimitHeaders numbers) {
    var headers = new LinkedHashMap<String, String>();
    headers.put(limit, Long.toString(numbers.limit()));
    headers.put(remaining, Long.toString(numbers.remaining()));
    headers.put(reset, Long.toString(numbers.resetSeconds()));
    return headers;
  }
}
