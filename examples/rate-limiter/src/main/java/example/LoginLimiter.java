package example;

import static io.heatshield.time.Rate.perMinute;

import io.heatshield.action.Admission;
import io.heatshield.limit.memory.RateLimiter;

/** Admits five logins of a user in a minute. */
public final class LoginLimiter {

  public static void main(String[] args) {
    RateLimiter limiter = RateLimiter.inMemory(100_000).limit("login", perMinute(5)).build();

    for (int attempt = 1; attempt <= 6; attempt++) {
      Admission login = limiter.tryAcquire("login", "alice");
      System.out.println("attempt " + attempt + ": " + (login.admitted() ? "admitted" : "429"));
    }
    Admission refused = limiter.tryAcquire("login", "alice");
    boolean retry = refused.retryAfterSeconds() >= 1 && refused.retryAfterSeconds() <= 60;
    System.out.println("Retry-After between 1 and 60 seconds: " + retry);
    System.out.println("bob: " + (limiter.tryAcquire("login", "bob").admitted() ? "admitted" : "429"));
  }
}
