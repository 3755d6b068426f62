package io.heatshield.store.engine;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The capability of an engine to report what other writers change. With it the store also keeps hot
 * values in memory if there are other writers.
 */
public interface ChangeReports {

  /** Sets the listener for keys that another writer has changed, or null if any may have. */
  void onForeignChange(Consumer<byte @Nullable []> listener);

  /** Returns whether every change by another writer is being reported at present. */
  boolean reportsForeignChanges();
}
