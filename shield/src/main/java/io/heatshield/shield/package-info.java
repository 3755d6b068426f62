/**
 * The shield: hands the commands of clients on to a Redis, and guards it where its keys are hot.
 */
@NullMarked
package io.heatshield.shield;

import org.jspecify.annotations.NullMarked;
