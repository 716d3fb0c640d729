console.log();
