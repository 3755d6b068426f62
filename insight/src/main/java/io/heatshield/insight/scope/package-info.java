/** The scopes of a server, each with a detector, and the events of their hot keys. */
@NullMarked
package io.heatshield.insight.scope;

import org.jspecify.annotations.NullMarked;
