package io.heatshield.config.value;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * The URL of a webhook: {@code https://host[:port]/path} or the same with {@code http}.
 *
 * <p>The path is often a secret, so {@link #toString} masks it.
 */
public record WebhookUrl(URI uri) {
  private static final int MAX_CHARS = 2048;
  private static final int MAX_PORT = 65_535;

  /**
   * Parses a URL; messages never contain a part of it.
   *
   * @throws IllegalArgumentException if the text is not such a URL
   */
  public static WebhookUrl parse(String text) {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      throw new InvalidValueException("must be a URL, for example https://hooks.example.org/heat");
    }
    String scheme = uri.getScheme();
    if (!"http".equals(scheme) && !"https".equals(scheme)) {
      throw new InvalidValueException("must begin with https:// or http://");
    }
    if (uri.getHost() == null || uri.getPort() == 0 || uri.getPort() > MAX_PORT) {
      throw new InvalidValueException("must name a host, and a port of 1 to 65535 if any");
    }
    if (uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
      throw new InvalidValueException("must have neither a user nor a part after #");
    }
    if (text.length() > MAX_CHARS) {
      throw new InvalidValueException("must have at most " + MAX_CHARS + " characters");
    }
    return new WebhookUrl(uri);
  }

  /** Returns the URL as it is. */
  public String unmasked() {
    return uri.toString();
  }

  /** Returns scheme and host; the rest is masked. */
  @Override
  public String toString() {
    String path = uri.getRawPath();
    boolean bare = (path == null || path.length() <= 1) && uri.getRawQuery() == null;
    return uri.getScheme() + "://" + uri.getRawAuthority() + (bare ? "/" : "/***");
  }
}
