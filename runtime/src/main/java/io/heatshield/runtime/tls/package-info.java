/** Certificates and keys from files, which may change while ports are open. */
@NullMarked
package io.heatshield.runtime.tls;

import org.jspecify.annotations.NullMarked;
