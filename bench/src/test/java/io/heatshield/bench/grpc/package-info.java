/** Load on the rate-limit port over real gRPC, beside an empty service of the same shape. */
@NullMarked
package io.heatshield.bench.grpc;

import org.jspecify.annotations.NullMarked;
