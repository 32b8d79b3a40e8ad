#!/usr/bin/env bash
# Builds the twenty pages of tests/benchmarks/page_model_truth.json whose keys begin with "built:".
#
#     tests/benchmarks/page_model_pages/build.sh OUT_FOLDER WEBTESTBENCH_APPS_FOLDER
#
# WEBTESTBENCH_APPS_FOLDER holds WebTestBench_NNNN.zip (arXiv 2603.25226): ten of them are built with their own lock files. Five
# more are packages of npm, with an index.html from here (npm/*.html) or their own; five are made with component libraries (the
# other folders here). Each page becomes OUT_FOLDER/<id>, to be served from its own root; one that is there already is left alone.
# Needs node 20, npm, unzip and npm's registry (or its cache). One build at a time, at low priority: 20 minutes on two slow cores.
set -euo pipefail

out=$(mkdir -p "$1" && cd "$1" && pwd)
apps=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$out/.building

# random.Random(11).sample(sorted(zips), 10)
GENERATED="0063 0078 0067 0100 0072 0080 0030 0026 0095 0068"
PACKAGES="swagger_ui jspreadsheet svgedit easymde fullcalendar"
LIBRARIES="mui antd headlessui element_plus shoelace"

install() { nice -n 10 npm install --no-audit --no-fund --prefer-offline --loglevel=error "$@"; }

generated() {
    local folder
    unzip -q "$apps/WebTestBench_$1.zip" -d "$work"
    folder=$(dirname "$(find "$work" -maxdepth 2 -name package.json | head -n 1)")
    (cd "$folder" && install && nice -n 10 npx vite build --logLevel warn)
    mv "$folder/dist" "$out/$1"
}

# What of node_modules a page of a package is served with, all in its root.
served() {
    case $1 in
    swagger_ui) echo swagger-ui-dist/{swagger-ui.css,swagger-ui-bundle.js} ;;
    jspreadsheet) echo jsuites/dist/jsuites.{css,js} jspreadsheet-ce/dist/jspreadsheet.css ;;
    easymde) echo easymde/dist/easymde.min.{css,js} ;;
    fullcalendar) echo fullcalendar/index.global.min.js ;;
    svgedit) echo svgedit/dist/editor/{Editor.js,browser-not-supported.js,index.html,svgedit.css,components,extensions,images} ;;
    esac
}

packages() {
    local id file
    cp "$here/npm/package.json" "$work"
    (cd "$work" && install --ignore-scripts --omit=optional)
    for id in $PACKAGES; do
        if [ -d "$out/$id" ]; then continue; fi
        mkdir "$work/$id"
        for file in $(served "$id"); do cp -r "$work/node_modules/$file" "$work/$id"; done
        if [ -f "$here/npm/$id.html" ]; then cp "$here/npm/$id.html" "$work/$id/index.html"; fi
        case $id in
        jspreadsheet)
            cp "$work/node_modules/jspreadsheet-ce/dist/index.js" "$work/$id/jspreadsheet.js"
            cp "$work/node_modules/@jspreadsheet/formula/dist/index.js" "$work/$id/formula.js"
            mkdir "$work/$id/material-icons"
            cp "$work"/node_modules/material-icons/iconfont/{filled.css,material-icons.woff*} "$work/$id/material-icons"
            ;;
        easymde)
            mkdir "$work/$id/font-awesome"
            cp -r "$work"/node_modules/font-awesome/{css,fonts} "$work/$id/font-awesome"
            ;;
        svgedit) find "$work/$id" -name '*.map' -delete ;;
        esac
        mv "$work/$id" "$out/$id"
    done
}

library() {
    local entry
    entry=$(cd "$here/$1" && echo main.js*)
    cp "$here/$1"/* "$work"
    (cd "$work" && install)
    (cd "$work" && nice -n 10 npx esbuild "$entry" --bundle --minify --jsx=automatic --outfile=served/main.js \
        --log-level=warning --define:process.env.NODE_ENV='"production"' \
        --define:__VUE_OPTIONS_API__=true --define:__VUE_PROD_DEVTOOLS__=false \
        --define:__VUE_PROD_HYDRATION_MISMATCH_DETAILS__=false)
    cp "$work/index.html" "$work/served"
    if [ "$1" = shoelace ]; then
        cp -r "$work/node_modules/@shoelace-style/shoelace/dist/assets" "$work/served/assets"
    fi
    mv "$work/served" "$out/$1"
}

fresh() { rm -rf "$work" && mkdir -p "$work"; }

for id in $GENERATED; do
    if [ ! -d "$out/$id" ]; then fresh && generated "$id"; fi
done
for id in $PACKAGES; do
    if [ ! -d "$out/$id" ]; then fresh && packages; fi
done
for id in $LIBRARIES; do
    if [ ! -d "$out/$id" ]; then fresh && library "$id"; fi
done
rm -rf "$work"
