/**
 * Certificates, keys and other secrets that come from files and may change while doors are open.
 */
@NullMarked
package io.heatshield.runtime.tls;

import org.jspecify.annotations.NullMarked;
