/**
 * The network for tests: free ports, and a TCP proxy whose faults can be switched while it runs.
 */
@NullMarked
package io.heatshield.testkit.net;

import org.jspecify.annotations.NullMarked;
