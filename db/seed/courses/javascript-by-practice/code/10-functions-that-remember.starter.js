let number = 0;

function makeNumbers(prefix) {
  return () => {
    number += 1;
    return `${prefix}-${number}`;
  };
}

function once(work) {
  return work;
}

const next = makeNumbers('INV');
console.log(next());
console.log(next());
