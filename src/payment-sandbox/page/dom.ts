type Attributes = Record<string, string | number | boolean | undefined>;

function assign(element: Element, attributes: Attributes, children: (Node | string)[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children);
}

/** An HTML element with attributes and children. */
export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  assign(element, attributes, children);
  return element;
}

/** A decorative SVG picture of paths, hidden from assistive technology. */
export function icon(
  viewBox: string,
  className: string,
  ...shapes: [tag: 'path' | 'rect' | 'circle', Attributes][]
): SVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  assign(svg, { viewBox, class: className, 'aria-hidden': 'true', focusable: 'false' }, []);
  for (const [tag, attributes] of shapes) {
    const shape = document.createElementNS(space, tag);
    assign(shape, attributes, []);
    svg.append(shape);
  }
  return svg;
}
