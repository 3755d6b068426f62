/**
 * Real Redis processes for tests: one server or a cluster, which can be stopped, killed and
 * restarted.
 */
@NullMarked
package io.heatshield.testkit.redis;

import org.jspecify.annotations.NullMarked;
