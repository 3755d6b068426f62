/** What was hot when. */
@NullMarked
package io.heatshield.server.history;

import org.jspecify.annotations.NullMarked;
