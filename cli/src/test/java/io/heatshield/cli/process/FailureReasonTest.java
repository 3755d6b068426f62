package io.heatshield.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FailureReasonTest {

  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(new NoSuchFileException("f"), "no such file"),
        Arguments.of(new FileNotFoundException("f (No such file or directory)"), "no such file"),
        Arguments.of(new AccessDeniedException("f"), "permission denied"),
        Arguments.of(new FileNotFoundException("f (Permission denied)"), "permission denied"),
        Arguments.of(
            new FileSystemException("f", null, "Is a directory"), "is a folder, not a file"),
        Arguments.of(new IOException("Is a directory"), "is a folder, not a file"),
        Arguments.of(
            new FileSystemException("f", null, "No space left on device"),
            "no space left on device"),
        Arguments.of(new UnknownHostException("h"), "host not found"),
        Arguments.of(
            caused(new ConnectException(), new UnresolvedAddressException()), "host not found"),
        Arguments.of(
            caused(new ConnectException(), new ClosedChannelException()), "connection refused"),
        Arguments.of(new ConnectException("Connection refused: h/1"), "connection refused"),
        Arguments.of(new ConnectException("Connection timed out"), "timeout"),
        Arguments.of(new HttpTimeoutException("request timed out"), "timeout"),
        Arguments.of(
            new SSLHandshakeException("PKIX path building failed: x"),
            "the server's certificate is not trusted"),
        Arguments.of(new IOException(), "input or output failed"),
        Arguments.of(new IOException("odd\u001b[2J\nsecond"), "odd\\x1b[2J"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void of_aFailure_isACommonDescription(Throwable failure, String reason) {
    assertThat(FailureReason.of(failure)).isEqualTo(reason);
  }

  private static Throwable caused(Throwable failure, Throwable cause) {
    return failure.initCause(cause);
  }
}
