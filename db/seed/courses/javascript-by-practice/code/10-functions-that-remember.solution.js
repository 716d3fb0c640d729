function makeNumbers(prefix) {
  let number = 0;
  return () => {
    number += 1;
    return `${prefix}-${String(number).padStart(3, '0')}`;
  };
}

function once(work) {
  let isDone = false;
  let result;
  return (...values) => {
    if (!isDone) {
      isDone = true;
      result = work(...values);
    }
    return result;
  };
}

const next = makeNumbers('INV');
console.log(next());
console.log(next());
