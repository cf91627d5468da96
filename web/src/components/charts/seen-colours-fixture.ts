/** How far two colours are apart, with normal vision and with colour blindness. */

/** Red, green and blue, linear light, 0 to 1. */
export type Rgb = readonly [number, number, number];

/** From `#2b59c3`. */
export function readColour(hex: string): Rgb {
  const channel = (at: number): number => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

/** 1 to 21. https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [one, other].map(luminance).sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Differences in Oklab, by kind of vision: 0 is the same, 1 is black and white. */
export function seenBy(one: Rgb, other: Rgb): readonly (readonly [string, number])[] {
  return Object.entries(EYES).map(([eye, matrix]) => {
    const [a, b] = [oklab(times(matrix, one)), oklab(times(matrix, other))];
    return [eye, Math.hypot(...a.map((part, index) => part - (b[index] ?? 0)))];
  });
}

/** Machado, Oliveira and Fernandes 2009, severity 1. https://doi.org/10.1109/TVCG.2009.113 */
const EYES: Readonly<Record<string, readonly Rgb[]>> = {
  'all people': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopes: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopes: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopes: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function times(matrix: readonly Rgb[], colour: Rgb): Rgb {
  const [red = 0, green = 0, blue = 0] = matrix.map((row) => {
    const sum = row.reduce((total, factor, index) => total + factor * (colour[index] ?? 0), 0);
    return Math.min(1, Math.max(0, sum));
  });
  return [red, green, blue];
}

/** https://bottosson.github.io/posts/oklab/ */
function oklab([red, green, blue]: Rgb): Rgb {
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
  ];
}
