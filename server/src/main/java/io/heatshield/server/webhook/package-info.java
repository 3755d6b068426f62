/** Posts the events of hot keys to a URL. */
@NullMarked
package io.heatshield.server.webhook;

import org.jspecify.annotations.NullMarked;
