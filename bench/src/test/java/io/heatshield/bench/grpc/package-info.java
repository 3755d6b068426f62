/** Load on the rate-limit port over real gRPC, compared with an empty service. */
@NullMarked
package io.heatshield.bench.grpc;

import org.jspecify.annotations.NullMarked;
