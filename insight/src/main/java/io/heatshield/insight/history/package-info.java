/** What was hot when. */
@NullMarked
package io.heatshield.insight.history;

import org.jspecify.annotations.NullMarked;
