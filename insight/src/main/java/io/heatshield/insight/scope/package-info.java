/** The scopes of a server: one detector each, and what the server tells when a key turns hot. */
@NullMarked
package io.heatshield.insight.scope;

import org.jspecify.annotations.NullMarked;
