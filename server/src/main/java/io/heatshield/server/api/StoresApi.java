package io.heatshield.server.api;

import io.heatshield.filter.FilterStats;
import io.heatshield.key.KeyText;
import io.heatshield.server.http.Request;
import io.heatshield.server.http.Response;
import io.heatshield.server.http.Route;
import io.heatshield.server.store.ServerStores;
import io.heatshield.store.EngineFaults;
import io.heatshield.store.FilterReport;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.StoreStats;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** {@code /api/v1/stores}: what guards each store, what that did, and what its filter says. */
public final class StoresApi {
  private final ServerStores stores;

  /** Creates the API of these stores. */
  public StoresApi(ServerStores stores) {
    this.stores = stores;
  }

  /** Returns the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
            "/api/v1/stores",
            "Lists the stores with what guards them, and what that did.",
            request ->
                Response.json(
                        Map.of(
                            "stores",
                            stores.all().entrySet().stream()
                                .map(store -> view(store.getKey(), store.getValue()))
                                .toList()))
                    .now()),
        Route.get(
                "/api/v1/stores/{store}/filter",
                "Shows the state of a store's filter.",
                request -> found(request, store -> filter(store).now()))
            .answering(200, "Size, memory, error, and whether it is trusted.")
            .answering(404, "There is no such store, or it has no filter."),
        Route.get(
                "/api/v1/stores/{store}/filter/check/{key}",
                "Compares what filter and engine say of a key.",
                request -> found(request, store -> check(store, request.parameter("key"))))
            .answering(200, "What both say.")
            .answering(404, "There is no such store."));
  }

  private CompletionStage<Response> found(
      Request request, Function<GuardedStore, CompletionStage<Response>> answer) {
    String name = request.parameterText("store");
    return stores
        .find(name)
        .map(answer)
        .orElseGet(() -> Response.problem(404, "there is no store " + KeyText.of(name)).now());
  }

  private Map<String, Object> view(String name, GuardedStore store) {
    var view = new LinkedHashMap<String, Object>();
    view.put("name", name);
    stores
        .settings(name)
        .ifPresent(
            settings -> {
              view.put("engine", settings.engine().name().toLowerCase(Locale.ROOT));
              view.put("writers", settings.writers().name().toLowerCase(Locale.ROOT));
            });
    EngineFaults faults = store.faults();
    view.put("writable", faults.isWritable());
    view.put("write_fault", faults.write());
    view.put("damage", faults.damage());
    StoreStats stats = store.stats();
    view.put("stats", stats.fields());
    view.put("lines", stats.lines());
    return view;
  }

  private static Response filter(GuardedStore store) {
    return store
        .filter()
        .map(report -> Response.json(view(report, store.stats())))
        .orElseGet(() -> Response.problem(404, "the store has no filter"));
  }

  private static Map<String, Object> view(FilterReport report, StoreStats stats) {
    FilterStats filter = report.stats();
    var view = new LinkedHashMap<String, Object>();
    view.put("mode", report.mode().name().toLowerCase(Locale.ROOT));
    view.put("trusted", report.complete());
    view.put("rebuilding", report.rebuilding());
    view.put("rebuild_scanned", report.scanned());
    view.put("rebuild_expected", report.expected());
    view.put("last_rebuild", report.lastRebuild().toLowerCase(Locale.ROOT));
    view.put("size", filter.size());
    view.put("capacity", filter.capacity());
    view.put("load", filter.load());
    view.put("bytes", filter.bytes());
    view.put("budget_bytes", filter.budgetBytes());
    view.put("fingerprint_bits", filter.fingerprintBits());
    view.put("sub_filters", filter.subFilters());
    view.put("expected_false_positive_rate", filter.expectedFalsePositiveRate());
    view.put("target_false_positive_rate", filter.targetFalsePositiveRate());
    view.put("false_positives", stats.falsePositives());
    view.put("disagreements", stats.disagreements());
    return view;
  }

  private static CompletionStage<Response> check(GuardedStore store, byte[] key) {
    return store
        .check(key)
        .thenApply(
            check -> {
              var view = new LinkedHashMap<String, Object>();
              view.put("key", KeyText.of(key));
              view.put("filter_says", check.filterSaysPresent());
              view.put("trusted", check.trusted());
              view.put("actually_exists", check.actuallyExists());
              view.put("false_positive", check.falsePositive());
              return Response.json(view);
            });
  }
}
