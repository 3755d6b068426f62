package io.heatshield.cli.process;

import io.heatshield.key.KeyText;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.ProtocolException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** Translates I/O exceptions into short messages for users. */
public final class FailureReason {
  private static final int MAX_CAUSES = 10;

  private FailureReason() {}

  /** Returns the reason as one printable line without class names. */
  public static String of(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      String known = known(cause);
      if (known != null) {
        return known;
      }
      cause = cause.getCause();
    }
    // The HTTP client of the JDK gives no message if nothing listens on the port.
    return failure instanceof ConnectException ? "connection refused" : message(failure);
  }

  private static @Nullable String known(Throwable failure) {
    if (failure instanceof UnknownHostException || failure instanceof UnresolvedAddressException) {
      return "host not found";
    }
    if (failure instanceof NoSuchFileException) {
      return "no such file";
    }
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failure instanceof NotDirectoryException) {
      return "no such folder";
    }
    if (failure instanceof FileAlreadyExistsException) {
      return "already exists";
    }
    if (failure instanceof HttpTimeoutException) {
      return "timeout";
    }
    if (failure instanceof NoRouteToHostException) {
      return "no route to host";
    }
    if (failure instanceof SSLException tls) {
      return ofTls(tls);
    }
    if (failure instanceof ProtocolException) {
      return "the server does not speak HTTP";
    }
    if (failure instanceof FileSystemException file && file.getReason() != null) {
      return plain(file.getReason());
    }
    return failure instanceof IOException ? byMessage(failure) : null;
  }

  private static String ofTls(SSLException failure) {
    return failure instanceof SSLHandshakeException && message(failure).contains("PKIX")
        ? "the server's certificate is not trusted"
        : message(failure).contains("unrecognized SSL message")
            ? "the server does not speak TLS"
            : "TLS failed: " + message(failure);
  }

  /** Returns the reason for exceptions that differ only in their message. */
  private static @Nullable String byMessage(Throwable failure) {
    String text = message(failure).toLowerCase(Locale.ROOT);
    if (text.contains("connection refused")) {
      return "connection refused";
    }
    if (text.contains("connection reset")) {
      return "the connection was reset";
    }
    if (text.contains("timed out")) {
      return "timeout";
    }
    if (text.contains("permission denied")) {
      return "permission denied";
    }
    if (failure instanceof FileNotFoundException && text.contains("no such file")) {
      return "no such file";
    }
    if (text.contains("is a directory")) {
      return "is a folder, not a file";
    }
    if (failure instanceof EOFException || text.contains("received no bytes")) {
      return "the connection was closed without a response; if the server uses TLS, use https://";
    }
    return null;
  }

  private static String message(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank()
        ? "input or output failed"
        : KeyText.of(List.of(message.split("\n", 2)).get(0));
  }

  private static String plain(String reason) {
    String text = KeyText.of(reason);
    return text.equals("Is a directory")
        ? "is a folder, not a file"
        : text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
  }
}
