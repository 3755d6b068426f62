package io.heatshield.web.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The supported methods; any other method gets 405. */
public enum Method {
  GET,
  /** Served by the route of GET. */
  HEAD,
  POST,
  PUT,
  PATCH,
  DELETE;

  /** Returns whether a request of this method may change state. */
  public boolean changesState() {
    return this != GET && this != HEAD;
  }

  static @Nullable Method of(String name) {
    for (Method method : values()) {
      if (method.name().equals(name)) {
        return method;
      }
    }
    return null;
  }

  public String lowerCase() {
    return name().toLowerCase(Locale.ROOT);
  }
}
