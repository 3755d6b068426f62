package io.heatshield.store.engine;

/** The capability of an engine to report faults that keep it from working normally. */
public interface FaultReports {

  /** Returns the faults at present. */
  EngineFaults faults();
}
