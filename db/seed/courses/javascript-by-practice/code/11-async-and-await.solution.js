const people = { 1: 'Ada', 2: 'Grace', 3: 'Linus' };

function loadName(id) {
  return new Promise((resolve, reject) => {
    setTimeout(() => (people[id] ? resolve(people[id]) : reject(new Error('Nobody has this number'))), 200);
  });
}

async function loadNameOrUnknown(id) {
  try {
    return await loadName(id);
  } catch {
    return 'unknown';
  }
}

async function loadNames(ids) {
  return Promise.all(ids.map(loadNameOrUnknown));
}

loadNames([1, 2]).then((names) => console.log(JSON.stringify(names)));
