package io.heatshield.data.command.hot;

import io.heatshield.data.command.Call;
import org.jspecify.annotations.Nullable;

/**
 * The arguments {@code [scope] [n]} of HS.HOT.
 *
 * @param scope the scope, or null for all
 * @param limit the maximum number of keys
 */
record HotQuery(@Nullable String scope, long limit) {
  private static final int DEFAULT_LIMIT = 10;

  /**
   * Parses the arguments.
   *
   * @param count the number of arguments including the name; others are not parsed
   */
  static HotQuery parse(Call call, int count) {
    if (count > 3) {
      throw call.wrongCount();
    }
    boolean numbered = count == 3 || (count == 2 && call.isInteger(1));
    boolean named = count == 3 || (count == 2 && !numbered);
    return new HotQuery(
        named ? call.text(1) : null,
        numbered ? Math.max(0, call.integer(count - 1)) : DEFAULT_LIMIT);
  }

  boolean includes(String name) {
    return scope == null || scope.equals(name);
  }
}
