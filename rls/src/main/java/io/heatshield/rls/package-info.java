/** The rate-limit service: the limiter with its rule folder, scopes and meters. */
@NullMarked
package io.heatshield.rls;

import org.jspecify.annotations.NullMarked;
