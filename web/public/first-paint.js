// Before the app is there: the colours of the chosen theme, so that a dark room never sees a white flash.
(function () {
  var mode = "system";
  try {
    mode = localStorage.getItem("prosa.theme") || mode;
  } catch (_) {
    // storage is forbidden here: the system's theme it is
  }
  var dark = mode === "dark" || (mode !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  document.documentElement.style.backgroundColor = dark ? "#0e1311" : "#f6f7f6";
})();
