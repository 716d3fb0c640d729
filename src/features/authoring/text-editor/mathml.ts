// The digits are its parts.
const SHAPES: Record<string, string> = {
  mfrac: String.raw`\frac{0}{1}`,
  mroot: String.raw`\sqrt[1]{0}`,
  msup: '0^{1}',
  msub: '0_{1}',
  msubsup: '0_{1}^{2}',
  munderover: '0_{1}^{2}',
  mover: String.raw`\overset{1}{0}`,
  munder: String.raw`\underset{1}{0}`,
};

/** LaTeX of MathML that does not bring its source. */
export function texOf({ localName, children, textContent }: Element): string {
  const parts = [...children].map(texOf);
  const shape = SHAPES[localName];
  if (shape) return shape.replace(/^\d/, '{$&}').replace(/\d/g, (at) => parts[Number(at)] ?? '');
  if (localName === 'msqrt') return String.raw`\sqrt{${parts.join(' ')}}`;
  if (localName === 'mtr') return parts.join(' & ');
  if (localName === 'mtable') return String.raw`\begin{matrix}${parts.join(String.raw` \\ `)}\end{matrix}`;
  if (parts.length > 0) return parts.join(' ');
  const text = textContent!.replace(/\p{Cf}/gu, '').replace(/[#$%&{}_]/g, String.raw`\$&`);
  if (localName === 'mtext') return String.raw`\text{${text}}`;
  return localName === 'mi' && text.length > 2 ? String.raw`\operatorname{${text}}` : text;
}
