package io.heatshield.server.api;

import io.heatshield.action.Savings;
import io.heatshield.server.http.Response;
import io.heatshield.server.http.Route;
import java.util.List;
import java.util.Map;

/** {@code /api/v1/savings}: what every action did, or would have done, and the calls that saved. */
public final class SavingsApi {
  private final Savings savings;

  /** Creates the API of this ledger. */
  public SavingsApi(Savings savings) {
    this.savings = savings;
  }

  /** Returns the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
            "/api/v1/savings",
            "Shows the calls to the store that each action saved, or would have saved.",
            request -> Response.json(Map.of("actions", savings.snapshot())).now()));
  }
}
