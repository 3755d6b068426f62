/**
 * Redis servers for tests: real servers, clusters and sentinels that can be paused, killed and
 * restarted, and scripted ones.
 */
@NullMarked
package io.heatshield.testkit.redis;

import org.jspecify.annotations.NullMarked;
