package example;

import static io.heatshield.time.Rate.perSecond;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.heatshield.contest.Decision;
import io.heatshield.contest.DistinctSettings;
import io.heatshield.contest.HeavyHitters;
import io.heatshield.contest.Rule;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Blocks clients that send more than 50 requests per second, or that ask for more than 90 different
 * paths within half a minute.
 */
final class ClientFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;

  private final transient HeavyHitters clients =
      HeavyHitters.builder()
          .maxKeys(10_000)
          .window(ofSeconds(30))
          .distinct(DistinctSettings.DEFAULT)
          .rule(Rule.rate("flood", perSecond(50)).block(ofSeconds(5)))
          .rule(Rule.distinct("scan", 90).block(ofMinutes(1)))
          .build();

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    // Behind a proxy, the address of the client is in a header that the proxy sets.
    Decision decision = clients.touch(request.getRemoteAddr(), request.getRequestURI());
    if (decision.refused()) {
      response.setHeader("Retry-After", Long.toString(decision.retryAfterSeconds()));
      decision.rule().ifPresent(rule -> response.setHeader("X-Refused-By", rule));
      response.setStatus(429);
      return;
    }
    chain.doFilter(request, response);
  }
}
