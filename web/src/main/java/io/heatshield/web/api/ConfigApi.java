package io.heatshield.web.api;

import io.heatshield.config.Configuration;
import io.heatshield.config.EffectiveSetting;
import io.heatshield.config.LivePatchText;
import io.heatshield.config.LoadResult;
import io.heatshield.config.yaml.Fault;
import io.heatshield.config.yaml.Origin;
import io.heatshield.runtime.Version;
import io.heatshield.web.http.Method;
import io.heatshield.web.http.Request;
import io.heatshield.web.http.Response;
import io.heatshield.web.http.Route;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * {@code /api/v1/config}: all effective settings with their origin, secrets masked, and changes of
 * live settings.
 */
public final class ConfigApi {
  private final Supplier<Configuration> current;
  private final Supplier<Configuration> saved;
  private final Supplier<List<Door>> doors;
  private final Function<Map<String, String>, LoadResult> patch;
  private final long startNanos = System.nanoTime();

  /**
   * Creates the API.
   *
   * @param current returns the effective configuration
   * @param saved returns the configuration without live changes
   * @param doors returns the open ports
   * @param patch changes live settings, given by path: all or none
   */
  public ConfigApi(
      Supplier<Configuration> current,
      Supplier<Configuration> saved,
      Supplier<List<Door>> doors,
      Function<Map<String, String>, LoadResult> patch) {
    this.current = current;
    this.saved = saved;
    this.doors = doors;
    this.patch = patch;
  }

  /** Returns the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/config",
                "Returns all effective settings with their origin; secrets are masked.",
                request -> Response.json(view()))
            .answering(200, "All settings.", View.class),
        Route.of(
                Method.PATCH,
                "/api/v1/config",
                "Changes live settings: all of the request, or none.",
                this::change)
            .taking(PatchSchema.of(current.get().live()))
            .answering(200, "All settings after the change.", View.class)
            .answering(400, "The change is invalid; nothing was changed.", Refusal.class));
  }

  private Response change(Request request) {
    LivePatchText read = LivePatchText.read(request.body());
    if (!read.faults().isEmpty()) {
      return refusal(read.faults());
    }
    return patch.apply(read.values()) instanceof LoadResult.Invalid invalid
        ? refusal(invalid.faults())
        : Response.json(view());
  }

  private static Response refusal(List<Fault> faults) {
    return Response.json(
        400,
        new Refusal("nothing was changed", 400, faults.stream().map(Fault::toString).toList()));
  }

  private View view() {
    List<EffectiveSetting> now = current.get().effective();
    Set<String> live =
        now.stream()
            .filter(setting -> setting.origin().equals(Origin.LIVE))
            .map(EffectiveSetting::path)
            .collect(Collectors.toSet());
    return new View(
        Version.current(),
        Duration.ofNanos(System.nanoTime() - startNanos).toSeconds(),
        doors.get(),
        now.stream().map(Entry::of).toList(),
        saved.get().effective().stream()
            .filter(setting -> live.contains(setting.path()))
            .map(Entry::of)
            .toList());
  }

  /** All settings; {@code overridden} has the saved values of those that were changed live. */
  private record View(
      String version,
      long uptimeSeconds,
      List<Door> doors,
      List<Entry> settings,
      List<Entry> overridden) {}

  /**
   * An open port.
   *
   * @param name the protocol
   * @param address the address
   */
  public record Door(String name, String address) {}

  /** The faults of a change, each with the path of a setting. */
  private record Refusal(String error, int status, List<String> faults) {}

  private record Entry(String path, String value, String origin) {
    static Entry of(EffectiveSetting setting) {
      return new Entry(setting.path(), setting.value(), setting.origin().toString());
    }
  }
}
