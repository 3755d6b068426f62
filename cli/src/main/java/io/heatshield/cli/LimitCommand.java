package io.heatshield.cli;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.NettyChannelBuilder;
import io.heatshield.cli.limit.AnswerText;
import io.heatshield.cli.limit.DescriptorText;
import io.heatshield.cli.process.CannotRunException;
import io.heatshield.cli.process.ExitCode;
import io.heatshield.cli.process.FailureReason;
import io.heatshield.cli.process.InputFile;
import io.heatshield.config.settings.LogSettings;
import io.heatshield.config.value.Address;
import io.heatshield.key.KeyText;
import io.heatshield.runtime.log.Logging;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The {@code limit} command: sends one request to the rate-limit service. Accepts the options of
 * the client of the Envoy rate-limit service.
 */
@Command(
    name = "limit",
    description = {
      "Sends one request to the rate-limit service, which counts like any other request.",
      "Exit code 1 means over limit."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  heatshield limit -domain shop -descriptors user=anna",
      "  heatshield limit -domain shop -descriptors plan=free,user=anna -descriptors path=/cart",
      "  heatshield limit -domain shop -descriptors user=anna -hits_addend 5 --json"
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the command runs
final class LimitCommand implements Callable<Integer> {
  private static final int TIMEOUT_SECONDS = 5;

  @Option(
      names = {"-domain", "--domain"},
      required = true,
      paramLabel = "D",
      description = "The domain of the rules.")
  private String domain;

  @Option(
      names = {"-descriptors", "--descriptors"},
      required = true,
      paramLabel = "K=V,K=V",
      description = {
        "The entries of a descriptor; may be repeated.",
        "Escape a comma or an equals sign in a value with a backslash."
      })
  private List<String> descriptors;

  @Option(
      names = {"-hits_addend", "--hits-addend"},
      paramLabel = "N",
      defaultValue = "1",
      description = "The number of hits to count. Default: 1.")
  private long hitsAddend;

  @Option(
      names = {"-dial_string", "--dial-string"},
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:8081",
      description = "The gRPC address of the server. Default: ${DEFAULT-VALUE}.")
  private String dialString;

  @Option(
      names = {"-grpc-use-tls", "--grpc-use-tls"},
      description = "Uses TLS.")
  private boolean useTls;

  @Option(
      names = {"-grpc-server-ca-file", "--grpc-server-ca-file"},
      paramLabel = "FILE",
      description = "The CA certificates for the server. Default: those of the system.")
  private @Nullable Path caFile;

  @Option(
      names = {"-grpc-cert-file", "--grpc-cert-file"},
      paramLabel = "FILE",
      description = "The client certificate.")
  private @Nullable Path certFile;

  @Option(
      names = {"-grpc-key-file", "--grpc-key-file"},
      paramLabel = "FILE",
      description = "The key of the client certificate.")
  private @Nullable Path keyFile;

  @Option(
      names = {"-json", "--json"},
      description = "Prints the response as JSON.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    checkAddress();
    RateLimitRequest request = request();
    // The error message below replaces what gRPC would log about an unreachable server.
    Logging.apply(new LogSettings(LogSettings.Level.ERROR, LogSettings.Format.AUTO));
    RateLimitResponse answer = send(request);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(AnswerText.json(answer));
    } else {
      AnswerText.lines(request, answer).forEach(out::println);
    }
    return answer.getOverallCode() == RateLimitResponse.Code.OVER_LIMIT
        ? ExitCode.NEGATIVE
        : ExitCode.OK;
  }

  private RateLimitRequest request() {
    if (hitsAddend < 0 || hitsAddend > 0xffff_ffffL) {
      throw wrong("-hits_addend must be 0 to 4294967295: " + hitsAddend);
    }
    var parsed = new ArrayList<RateLimitDescriptor>();
    for (String text : descriptors) {
      try {
        parsed.add(DescriptorText.parse(text));
      } catch (IllegalArgumentException e) {
        throw wrong("-" + e.getMessage());
      }
    }
    return RateLimitRequest.newBuilder()
        .setDomain(domain)
        .addAllDescriptors(parsed)
        .setHitsAddend((int) hitsAddend)
        .build();
  }

  private RateLimitResponse send(RateLimitRequest request) {
    ManagedChannel channel = channel();
    try {
      return RateLimitServiceGrpc.newBlockingStub(channel)
          .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS)
          .shouldRateLimit(request);
    } catch (StatusRuntimeException e) {
      throw failure(e.getStatus());
    } finally {
      channel.shutdownNow();
    }
  }

  private RuntimeException failure(Status status) {
    Throwable cause = status.getCause();
    String reason =
        cause != null
            ? FailureReason.of(cause)
            : status.getCode() == Status.Code.DEADLINE_EXCEEDED
                ? "timeout after " + TIMEOUT_SECONDS + " s"
                : KeyText.of(
                    Objects.requireNonNullElse(status.getDescription(), "no reason given"));
    return switch (status.getCode()) {
      case INVALID_ARGUMENT -> wrong(reason);
      case UNAVAILABLE, DEADLINE_EXCEEDED ->
          new CannotRunException("cannot reach " + KeyText.of(dialString) + ": " + reason);
      default ->
          new CannotRunException(
              KeyText.of(dialString) + " answered " + status.getCode() + ": " + reason);
    };
  }

  private ManagedChannel channel() {
    try {
      return NettyChannelBuilder.forTarget(dialString, credentials())
          .proxyDetector(address -> null)
          .build();
    } catch (IOException | IllegalArgumentException e) {
      throw new CannotRunException("TLS cannot be used: " + FailureReason.of(e));
    }
  }

  private void checkAddress() {
    try {
      Address.parse(dialString);
    } catch (IllegalArgumentException e) {
      throw wrong("-dial_string must be host:port: '" + dialString + "'");
    }
  }

  private ChannelCredentials credentials() throws IOException {
    if (!useTls) {
      return InsecureChannelCredentials.create();
    }
    TlsChannelCredentials.Builder tls = TlsChannelCredentials.newBuilder();
    if (caFile != null) {
      tls.trustManager(InputFile.readable(caFile).toFile());
    }
    if ((certFile == null) != (keyFile == null)) {
      throw wrong("-grpc-cert-file and -grpc-key-file must be given together");
    }
    if (certFile != null && keyFile != null) {
      tls.keyManager(InputFile.readable(certFile).toFile(), InputFile.readable(keyFile).toFile());
    }
    return tls.build();
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
