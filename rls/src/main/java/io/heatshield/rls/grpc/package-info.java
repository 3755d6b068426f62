/** The gRPC server: Envoy's rate-limit service, health and reflection. */
@NullMarked
package io.heatshield.rls.grpc;

import org.jspecify.annotations.NullMarked;
