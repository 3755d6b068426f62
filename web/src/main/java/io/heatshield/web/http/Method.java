package io.heatshield.web.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The methods that a route may have; every other method is answered 405. */
public enum Method {
  /** Reads. */
  GET,
  /** Reads without the body; answered by the route of GET. */
  HEAD,
  /** Acts. */
  POST,
  /** Replaces. */
  PUT,
  /** Changes a part. */
  PATCH,
  /** Removes. */
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
