package io.heatshield.web.api;

import io.heatshield.runtime.memory.MemoryReport;
import io.heatshield.web.http.Response;
import io.heatshield.web.http.Route;
import java.util.List;
import java.util.function.Supplier;

/** {@code /api/v1/memory}: the planned and the used memory. */
public final class MemoryApi {
  private final Supplier<MemoryReport> report;

  /** Creates the API of a process. */
  public MemoryApi(Supplier<MemoryReport> report) {
    this.report = report;
  }

  /** Returns the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/memory",
                "Returns the memory that each part takes at most, and what it uses.",
                request -> Response.json(report.get()))
            .answering(200, "The memory by part and in total.", MemoryReport.class));
  }
}
