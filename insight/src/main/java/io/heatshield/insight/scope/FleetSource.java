package io.heatshield.insight.scope;

import io.heatshield.fleet.FleetAnswer;

/** Knows what the whole fleet has counted, or why only this process's numbers can be told. */
public interface FleetSource {
  /** The source of a process that belongs to no fleet. */
  FleetSource NONE =
      new FleetSource() {
        @Override
        public String fleet() {
          return "";
        }

        @Override
        public String node() {
          return "";
        }

        @Override
        public FleetAnswer answer() {
          return new FleetAnswer(null, 0, "no fleet is configured");
        }
      };

  /** Returns the fleet's name; empty if there is none. */
  String fleet();

  /** Returns this process's name in it. */
  String node();

  /** Returns what is known now; never waits. */
  FleetAnswer answer();
}
