package io.heatshield.rls.grpc;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.heatshield.limit.InvalidRequestException;
import io.heatshield.limit.LimitAnswer;
import io.heatshield.rls.HomeLoop;
import io.heatshield.rls.LimitFailure;
import io.heatshield.rls.LimitService;
import io.heatshield.runtime.net.Transport;
import io.heatshield.runtime.telemetry.TraceContext;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Implements {@code envoy.service.ratelimit.v3.RateLimitService}.
 *
 * <p>A request is decided on the event loop that received it. Its answer is written there,
 * whichever thread has it, together with all others that are ready by then.
 */
final class RateLimitCalls {
  /*
   * The request has its own marshaller because that of gRPC answers UNKNOWN to malformed bytes.
   * Ours passes such bytes on as an invalid request, and the caller gets INVALID_ARGUMENT as for
   * any other invalid request.
   */
  private final LimitService limits;
  private final Transport transport;

  RateLimitCalls(LimitService limits, Transport transport) {
    this.limits = limits;
    this.transport = transport;
  }

  /** Returns the gRPC service definition. */
  ServerServiceDefinition definition() {
    ServiceDescriptor generated = RateLimitServiceGrpc.getServiceDescriptor();
    MethodDescriptor<Question, RateLimitResponse> method =
        RateLimitServiceGrpc.getShouldRateLimitMethod().toBuilder(
                new QuestionMarshaller(),
                RateLimitServiceGrpc.getShouldRateLimitMethod().getResponseMarshaller())
            .build();
    return ServerServiceDefinition.builder(
            ServiceDescriptor.newBuilder(generated.getName())
                .setSchemaDescriptor(generated.getSchemaDescriptor())
                .addMethod(method)
                .build())
        .addMethod(method, ServerCalls.asyncUnaryCall(this::shouldRateLimit))
        .build();
  }

  private void shouldRateLimit(Question question, StreamObserver<RateLimitResponse> caller) {
    Deadline deadline = Context.current().getDeadline();
    if (deadline != null && deadline.isExpired()) {
      refuse(
          new LimitFailure(LimitFailure.Kind.TOO_LATE, "the deadline had passed on arrival"),
          caller);
      return;
    }
    HomeLoop home = HomeLoop.enter(transport.workers());
    try {
      limits
          .ask(EnvoyMessages.question(question.message()), from())
          .whenComplete(
              (answer, failure) -> {
                if (home == null || home.isHere()) {
                  answer(answer, failure, caller);
                } else {
                  home.hand(() -> answer(answer, failure, caller));
                }
              });
    } catch (RuntimeException e) {
      refuse(LimitFailure.of(e), caller);
    }
  }

  private @Nullable TraceContext from() {
    return limits.isTraced() ? TraceHeaders.FROM.get() : null;
  }

  private void answer(
      @Nullable LimitAnswer answer,
      @Nullable Throwable failure,
      StreamObserver<RateLimitResponse> caller) {
    if (answer == null) {
      refuse(
          LimitFailure.of(failure == null ? new IllegalStateException("no answer") : failure),
          caller);
      return;
    }
    caller.onNext(EnvoyMessages.message(answer, limits.headers()));
    caller.onCompleted();
  }

  private void refuse(LimitFailure failure, StreamObserver<RateLimitResponse> caller) {
    caller.onError(limits.failed(failure).status().asRuntimeException());
  }

  /** A message, or null if the bytes are malformed. */
  private record Question(@Nullable RateLimitRequest sent) {

    RateLimitRequest message() {
      if (sent == null) {
        throw new InvalidRequestException(
            "request", "is not a valid RateLimitRequest; strings must be UTF-8");
      }
      return sent;
    }
  }

  private static final class QuestionMarshaller implements MethodDescriptor.Marshaller<Question> {
    private final MethodDescriptor.Marshaller<RateLimitRequest> generated =
        RateLimitServiceGrpc.getShouldRateLimitMethod().getRequestMarshaller();

    @Override
    public InputStream stream(Question question) {
      return generated.stream(question.message());
    }

    @Override
    public Question parse(InputStream stream) {
      try {
        return new Question(generated.parse(stream));
      } catch (StatusRuntimeException e) {
        return new Question(null);
      }
    }
  }
}
