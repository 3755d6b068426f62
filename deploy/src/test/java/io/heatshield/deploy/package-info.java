/** Tests of the container image, of the files to deploy it with, and of the folder of a release. */
@NullMarked
package io.heatshield.deploy;

import org.jspecify.annotations.NullMarked;
