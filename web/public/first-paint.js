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

// Where the network loses one of the app's first files, nothing would ever show: this says so, and loads the page again when the server answers.
(function () {
  var words = {
    pt: ["O Prosa não pôde ser carregado: a conexão falhou.", "Tentar de novo"],
    en: ["Prosa could not be loaded: the connection failed.", "Try again"],
    es: ["No se pudo cargar Prosa: falló la conexión.", "Intentar de nuevo"],
  };
  // Pauses before the server is asked (ms): they double from the first to the longest, over reloads too.
  var first = 2000;
  var longest = 60000;
  var key = "prosa.loadAgain";
  var isTold = false;

  addEventListener(
    "error",
    function (event) {
      // The entry's element is told of each file that it imports.
      if (event.target instanceof HTMLScriptElement && event.target.type === "module" && !isTold) {
        isTold = true;
        tell();
        askAgain(nextPause());
        addEventListener("online", reloadIfThere);
      }
    },
    true,
  );

  function tell() {
    var language = "pt";
    try {
      language = localStorage.getItem("prosa.language") || language;
    } catch (_) {
      // storage is forbidden here: Portuguese it is
    }
    var said = words[language] || words.pt;
    var text = document.createElement("p");
    text.textContent = said[0];
    var button = document.createElement("button");
    button.textContent = said[1];
    button.style.cssText =
      "min-height:44px;margin-top:16px;padding:0 20px;border-radius:8px;border:1px solid;background:none;color:inherit;font:inherit";
    button.addEventListener("click", function () {
      location.reload();
    });
    var notice = document.createElement("div");
    notice.setAttribute("role", "alert");
    // The browser's own colour of text on the theme's background.
    notice.style.cssText = "padding:20vh 24px 0;text-align:center;font:16px/24px system-ui,sans-serif;color:CanvasText";
    notice.style.colorScheme = document.documentElement.dataset.theme;
    notice.append(text, button);
    document.getElementById("root").replaceChildren(notice);
  }

  function nextPause() {
    var pause = first;
    try {
      var last = JSON.parse(sessionStorage.getItem(key) || "null");
      // A failure long after the last one is a new one.
      if (last && Date.now() - last.at < 3 * longest) {
        pause = Math.min(2 * last.pause, longest);
      }
      sessionStorage.setItem(key, JSON.stringify({ pause: pause, at: Date.now() }));
    } catch (_) {
      // storage is forbidden here: as often as the first time
    }
    return pause;
  }

  function askAgain(pause) {
    setTimeout(function () {
      reloadIfThere();
      askAgain(Math.min(2 * pause, longest));
    }, pause);
  }

  function reloadIfThere() {
    fetch("/build.txt", { cache: "no-store" }).then(
      function (answer) {
        if (answer.ok) {
          location.reload();
        }
      },
      function () {},
    );
  }
})();
