/** Certificates for tests of TLS. */
@NullMarked
package io.heatshield.testkit.tls;

import org.jspecify.annotations.NullMarked;
