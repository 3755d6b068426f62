package io.heatshield.web.http;

import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The files of the status page, loaded from the class path and served from memory.
 *
 * <p>Each file has its own route: a request path is never joined to a folder. {@code index.html} is
 * served at {@code /}.
 */
public final class StaticFiles {
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml",
          "txt", Response.TEXT);

  private StaticFiles() {}

  /** Returns the routes of the status page. */
  public static List<Route> page() {
    return routes(
        "/io/heatshield/web/page",
        List.of(
            "index.html",
            "icon.svg",
            "page.css",
            "uplot.css",
            "uplot.js",
            "uplot-LICENSE.txt",
            "page.js",
            "api.js",
            "charts.js",
            "explain.js",
            "format.js",
            "heat.js",
            "incidents.js",
            "keys.js",
            "parts.js",
            "protection.js",
            "savings.js",
            "settings.js",
            "state.js",
            "words.js"));
  }

  /**
   * Returns the routes of files in a folder of the class path.
   *
   * @throws UncheckedIOException if a file does not exist
   */
  static List<Route> routes(String folder, List<String> names) {
    return names.stream().map(name -> route(folder, name)).toList();
  }

  private static Route route(String folder, String name) {
    var file = new File(type(name), read(folder + "/" + name));
    String path = name.equals("index.html") ? "/" : "/" + name;
    return Route.get(path, "The file " + name + " of the status page.", file::serve)
        .producing(file.type)
        .unlisted();
  }

  private static String type(String name) {
    String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (type == null) {
      throw new IllegalArgumentException("name must end in one of " + TYPES.keySet() + ": " + name);
    }
    return type;
  }

  private static byte[] read(String resource) {
    try (InputStream in = StaticFiles.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new FileNotFoundException("no such resource: " + resource);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class File {
    private final String type;
    private final byte[] plain;
    private final byte[] gzipped;
    private final String tag;

    File(String type, byte[] plain) {
      this.type = type;
      this.plain = plain;
      this.gzipped = gzip(plain);
      this.tag = tag(plain);
    }

    Response serve(Request request) {
      // A strong ETag identifies bytes, so the compressed form needs its own.
      boolean gzip =
          acceptsGzip(request.header("Accept-Encoding")) && gzipped.length < plain.length;
      String etag = gzip ? "\"" + tag + "-gz\"" : "\"" + tag + "\"";
      Response response =
          matches(request.header("If-None-Match"), etag)
              ? Response.empty(304)
              : Response.of(200, type, gzip ? gzipped : plain);
      response =
          response
              .withHeader("ETag", etag)
              .withHeader("Vary", "Accept-Encoding")
              .withHeader("Cache-Control", "no-cache");
      if (gzip && response.status() == 200) {
        response = response.withHeader("Content-Encoding", "gzip");
      }
      return response;
    }

    private static boolean acceptsGzip(@Nullable String encodings) {
      if (encodings == null) {
        return false;
      }
      return Arrays.stream(encodings.toLowerCase(Locale.ROOT).split(",", -1))
          .map(coding -> coding.replace(" ", ""))
          .anyMatch(coding -> coding.matches("(gzip|\\*)(;q=(1(\\.0*)?|0\\.[0-9]*[1-9][0-9]*))?"));
    }

    private static boolean matches(@Nullable String tags, String etag) {
      return tags != null
          && Arrays.stream(tags.split(",", -1))
              .map(String::strip)
              .anyMatch(one -> one.equals("*") || one.replaceFirst("^W/", "").equals(etag));
    }

    private static byte[] gzip(byte[] plain) {
      var bytes = new ByteArrayOutputStream();
      try (var gzip = new GZIPOutputStream(bytes)) {
        gzip.write(plain);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return bytes.toByteArray();
    }

    private static String tag(byte[] plain) {
      try {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(plain);
        return HexFormat.of().formatHex(digest, 0, 8);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every JDK has SHA-256", e);
      }
    }
  }
}
