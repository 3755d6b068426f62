package io.heatshield.web.openapi;

import io.heatshield.web.http.Route;
import java.util.Locale;

/**
 * Generates operation ids from the method and the path without {@code /api/v1}, including only a
 * trailing parameter, as in {@code getStoresFilter} and {@code getKeysByKey}.
 */
final class OperationId {
  private OperationId() {}

  static String of(Route route) {
    String path = route.template().replaceFirst("^/api/v1/", "/");
    var name = new StringBuilder(route.method().lowerCase());
    String[] segments = path.substring(1).split("/", -1);
    for (int i = 0; i < segments.length; i++) {
      String segment = segments[i];
      if (!Route.isParameter(segment)) {
        appendCapitalized(name, segment);
      } else if (i == segments.length - 1) {
        appendCapitalized(name.append("By"), segment);
      }
    }
    return name.toString();
  }

  private static void appendCapitalized(StringBuilder name, String words) {
    for (String word : words.split("[^A-Za-z0-9]+", -1)) {
      if (!word.isEmpty()) {
        name.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
      }
    }
  }
}
