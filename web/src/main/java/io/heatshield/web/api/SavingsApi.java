package io.heatshield.web.api;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.config.settings.SavingsSettings;
import io.heatshield.insight.savings.DailySavings;
import io.heatshield.insight.savings.Day;
import io.heatshield.insight.savings.SavingsDescription;
import io.heatshield.web.http.Response;
import io.heatshield.web.http.Route;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code /api/v1/savings}: the calls that each action saved, or would have saved. */
public final class SavingsApi {
  private static final double MILLION = 1e6;

  private final Savings savings;
  private final DailySavings daily;
  private final Supplier<SavingsSettings> settings;
  private final Instant since;

  /** Creates the API of savings that are counted from now on. */
  public SavingsApi(
      Savings savings, DailySavings daily, Supplier<SavingsSettings> settings, Clock clock) {
    this.savings = savings;
    this.daily = daily;
    this.settings = settings;
    this.since = clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }

  /** Returns the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/savings",
                "Returns the calls that each action saved, or would have saved: in total, by day and in"
                    + " money.",
                request -> Response.json(view()))
            .answering(200, "The savings since the start and by day.", View.class));
  }

  private View view() {
    SavingsSettings money = settings.get();
    Double price = money.pricePerMillionCalls();
    List<ActionView> actions =
        savings.snapshot().stream().map(action -> actionView(action, price)).toList();
    long saved = actions.stream().mapToLong(ActionView::saved).sum();
    long would = actions.stream().mapToLong(ActionView::wouldHaveSaved).sum();
    return new View(
        since,
        price,
        money.currency(),
        saved,
        money(saved, price),
        would,
        money(would, price),
        actions,
        daily.days().stream().map(day -> dayView(day, price)).toList());
  }

  private static ActionView actionView(Action.Snapshot action, @Nullable Double price) {
    return new ActionView(
        action.name(),
        action.scope(),
        action.mode(),
        action.applied(),
        action.saved(),
        money(action.saved(), price),
        action.wouldHaveApplied(),
        action.wouldHaveSaved(),
        money(action.wouldHaveSaved(), price),
        SavingsDescription.of(action.name()));
  }

  private static DayView dayView(Day day, @Nullable Double price) {
    return new DayView(
        day.day(),
        day.saved(),
        money(day.saved(), price),
        day.wouldHaveSaved(),
        money(day.wouldHaveSaved(), price),
        day.entries());
  }

  private static @Nullable Double money(long calls, @Nullable Double price) {
    return price == null ? null : calls / MILLION * price;
  }

  private record View(
      Instant since,
      @Nullable Double pricePerMillionCalls,
      String currency,
      long saved,
      @Nullable Double money,
      long wouldHaveSaved,
      @Nullable Double wouldBeMoney,
      List<ActionView> actions,
      List<DayView> days) {}

  private record ActionView(
      String name,
      String scope,
      Mode mode,
      long applied,
      long saved,
      @Nullable Double money,
      long wouldHaveApplied,
      long wouldHaveSaved,
      @Nullable Double wouldBeMoney,
      String counted) {}

  private record DayView(
      LocalDate day,
      long saved,
      @Nullable Double money,
      long wouldHaveSaved,
      @Nullable Double wouldBeMoney,
      List<Day.Entry> actions) {}
}
